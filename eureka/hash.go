package eureka

import "strconv"

// Census counts instances by status. The zero value is an empty census. It is
// a value: copy it freely.
type Census struct {
	counts [len(Statuses)]int
}

// Add counts n instances of status s, or takes them away when n is negative. A
// status that is none of [Statuses] counts as [StatusUnknown].
func (c *Census) Add(s Status, n int) {
	i, ok := s.index()
	if !ok {
		i, _ = StatusUnknown.index()
	}
	c.counts[i] += n
}

// Count is how many instances have status s.
func (c Census) Count(s Status) int {
	i, ok := s.index()
	if !ok {
		return 0
	}
	return c.counts[i]
}

// Total is how many instances were counted.
func (c Census) Total() int {
	total := 0
	for _, n := range c.counts {
		total += n
	}
	return total
}

// HashCode is the apps__hashcode of the counted instances: for each status
// present, in alphabetical order, its name, an underscore, the count and an
// underscore. It is empty for an empty registry.
func (c Census) HashCode() string {
	var b []byte
	for i, n := range c.counts {
		if n == 0 {
			continue
		}
		b = append(b, Statuses[i]...)
		b = append(b, '_')
		b = strconv.AppendInt(b, int64(n), 10)
		b = append(b, '_')
	}
	return string(b)
}

// HashCode is the apps__hashcode over all instances of apps.
func HashCode(apps []Application) string {
	var c Census
	for i := range apps {
		for _, inst := range apps[i].Instances {
			c.Add(inst.Status, 1)
		}
	}
	return c.HashCode()
}
