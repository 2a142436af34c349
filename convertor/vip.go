package convertor

import "strings"

// Bounds on the logical names that one pod is looked up by. An annotation may be
// 256 KiB long, and each name in it becomes one more list that is kept; pods in
// the field have one name, a few have two.
const (
	maxVIPNames = 32
	maxVIPBytes = 1 << 10
)

// vip is the logical names that clients look up, separated by commas, in lower
// case because lookups are case-sensitive (field case 12).
func (c *conversion) vip(service string) string {
	vip := c.labels.annotation(nameVIP)
	if names := strings.Count(vip, ",") + 1; len(vip) > maxVIPBytes || names > maxVIPNames {
		c.warnings.add(WarningBadVIP, "annotation %s: %d names in %d bytes, more than %d in %d; using %s",
			c.labels.key(nameVIP), names, len(vip), maxVIPNames, maxVIPBytes, service)
		vip = ""
	}
	if vip == "" {
		vip = service
	}
	return strings.ToLower(vip)
}
