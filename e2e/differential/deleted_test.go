package differential

import (
	"regexp"
	"strings"
)

// ofInstance finds, in both forms, where the instances of an application begin, what
// each is called by, and its action.
var ofInstance = regexp.MustCompile(`("instance":\[|<application>)|(?:"(?:instanceId|hostName)":"|<(?:instanceId|hostName)>)([^"<]*)|(?:"actionType":"|<actionType>)([A-Z]+)`)

// placeOfDeleted says where the instances stand that a body tells the end of, among
// those of their application that this play looks at: last, or before others. It is
// empty when no application has both.
func placeOfDeleted(body string, n *names) string {
	if !strings.Contains(body, "DELETED") {
		return "" // most bodies
	}
	place, deleted, others, id := "", false, false, ""
	for _, found := range ofInstance.FindAllStringSubmatch(body, -1) {
		action := found[3]
		switch {
		case found[1] != "":
			deleted, others, id = false, false, ""
			continue
		case action == "":
			if id == "" {
				id = found[2]
			}
			continue
		case strings.Contains(id, stale) || n.isOdd("/instance["+id+"]"):
		case action == "DELETED":
			deleted = true
			if others && place == "" {
				place = "last"
			}
		default:
			others = true
			if deleted {
				place = "before others"
			}
		}
		id = ""
	}
	return place
}
