package convertor

import (
	"strings"
	"unicode"
)

// Bounds on the logical names that one pod is looked up by. An annotation may be
// 256 KiB long, and each name in it becomes one more list that is kept; pods in
// the field have one name, a few have two.
const (
	maxVIPNames = 32
	maxVIPBytes = 1 << 10
)

// vip is the logical names that clients look up, separated by commas, in lower
// case because lookups are case-sensitive (field case 12), and without blanks
// around them, which clients would have to send too.
func (c *conversion) vip(service string) string {
	vip := c.labels.annotation(nameVIP)
	if vip == "" {
		return strings.ToLower(service)
	}
	if names := strings.Count(vip, ",") + 1; len(vip) > maxVIPBytes || names > maxVIPNames {
		c.warnings.add(WarningBadVIP, "annotation %s: %d names in %d bytes, more than %d in %d; using %s",
			c.labels.key(nameVIP), names, len(vip), maxVIPNames, maxVIPBytes, service)
		return strings.ToLower(service)
	}
	names := strings.Split(vip, ",")
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		if strings.ContainsFunc(names[i], unicode.IsSpace) {
			c.warnings.add(WarningBadVIP, "annotation %s: %s is no name to look up, it has a blank in it; using %s",
				c.labels.key(nameVIP), clipped(names[i]), service)
			return strings.ToLower(service)
		}
	}
	return strings.ToLower(strings.Join(names, ","))
}
