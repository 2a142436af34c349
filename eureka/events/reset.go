package events

import (
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

// reset writes the list that s has of f. All of it has to be taken in the time of
// one write, as the answer of GET apps: s is held that long.
func (c *client) reset(s *snapshot.Snapshot, f *snapshot.Filter) error {
	c.metrics.events[eventReset].Inc()
	c.arm()
	if _, err := c.w.Write(appendHead(nil, eventReset, s.Token())); err != nil {
		return err
	}
	if err := c.list(s, f); err != nil {
		return err
	}
	if _, err := c.w.Write([]byte(eventEnd)); err != nil {
		return err
	}
	return c.taken()
}

// list writes the shared bytes of the full list, or encodes those of a filter.
func (c *client) list(s *snapshot.Snapshot, f *snapshot.Filter) error {
	if f.All() {
		_, err := s.Full(codec.JSON, false).WriteTo(c.w)
		return err
	}
	const form = codec.JSON
	listed := s.Listed(f)
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	b := form.AppendHead((*buffer)[:0], listed.VersionsDelta, listed.AppsHashCode)
	// One application at a time: many slow clients hold that much and no more.
	for n := range listed.Applications {
		if n > 0 {
			b = append(b, form.Separator()...)
		}
		b = form.AppendListed(b, &listed.Applications[n])
		if _, err := c.w.Write(b); err != nil {
			return err
		}
		b = b[:0]
	}
	b = form.AppendTail(b, listed.VersionsDelta, listed.AppsHashCode)
	*buffer = b
	_, err := c.w.Write(b)
	return err
}
