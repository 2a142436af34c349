package events

import (
	"net/http"
	"sync"
	"time"

	"github.com/eurekube/eurekube/eureka/snapshot"
)

// writeAt is how many bytes of events are gathered before they are written.
const writeAt = 16 << 10

// buffers are lent for one write: a client that is told nothing holds none.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// client is the one who reads a stream.
type client struct {
	w        http.ResponseWriter
	control  *http.ResponseController
	timeout  time.Duration
	deadline time.Time // of the latest write
	metrics  *metrics
}

// newClient lifts the server's timeouts, which are for whole answers, off the
// connection. That for reading would end the request's context while nothing is to
// be read. Without it HTTP/1 would wait for ever for a body that was announced and
// does not come, before the first event, unless both may go on at once.
func newClient(w http.ResponseWriter, timeout time.Duration, m *metrics) *client {
	c := &client{w: w, control: http.NewResponseController(w), timeout: timeout, metrics: m}
	_ = c.control.EnableFullDuplex()
	_ = c.control.SetReadDeadline(time.Time{}) // refused only where there is no connection
	return c
}

// close gives the client time for the end of the stream, and has the server wait
// for nothing else, such as the rest of a body that the client never sends: no
// stream ends while its connection is of further use.
func (c *client) close() {
	c.arm()
	_ = c.control.SetReadDeadline(time.Now())
}

// arm gives the client time for what is written next.
func (c *client) arm() {
	c.deadline = time.Now().Add(c.timeout)
	_ = c.control.SetWriteDeadline(c.deadline) // as in newClient
}

// send writes b and has nothing keep it back.
func (c *client) send(b []byte) error {
	c.arm()
	if _, err := c.w.Write(b); err != nil {
		return err
	}
	return c.taken()
}

// taken hands over what was written and lets the client be quiet then: HTTP/2 ends
// a stream at its deadline though nothing is to be written.
func (c *client) taken() error {
	if err := c.control.Flush(); err != nil {
		return err
	}
	_ = c.control.SetWriteDeadline(time.Time{})
	return nil
}

// cutReason tells why a write was in vain: the client did not take it in time, or
// it has gone, which cuts nobody off.
func (c *client) cutReason() string {
	if time.Now().Before(c.deadline) {
		return ""
	}
	return cutSlow
}

// ping tells that the server lives, and from where to go on: a stream with a filter
// may not have had an event for longer than changes are known.
func (c *client) ping(at snapshot.Token) error {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	*buffer = appendEvent((*buffer)[:0], eventPing, at, []byte("{}"))
	c.metrics.events[eventPing].Inc()
	return c.send(*buffer)
}

// tell writes those of changes, all of which s holds, that f lets through: as many as
// one write takes. It returns the place behind them.
func (c *client) tell(s *snapshot.Snapshot, changes []*snapshot.Change, f *snapshot.Filter) (at snapshot.Token, err error) {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	b, at := (*buffer)[:0], s.Token()
	for _, change := range changes {
		event, document := view(change, f)
		if event == "" {
			continue
		}
		place := snapshot.Token{Epoch: at.Epoch, Sequence: change.Sequence}
		b = appendEvent(b, event, place, document())
		c.metrics.events[event].Inc()
		if len(b) >= writeAt {
			at = place
			break
		}
	}
	*buffer = b
	if len(b) == 0 {
		return at, nil
	}
	return at, c.send(b)
}
