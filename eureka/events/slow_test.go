package events

import (
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eurekube/eurekube/eureka/registry"
)

// TestAClientThatReadsNothingIsCut has one client stop reading beside one that
// reads on.
func TestAClientThatReadsNothingIsCut(t *testing.T) {
	tests := []struct{ name, query string }{
		{"in the first ping", ""},
		{"in the list", "full=true"},
		{"in the list of a filter", "full=true&app=A"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				slow, quick := r.open(tt.query), r.open("")
				told := quick.collect()
				start := time.Now()
				for r.count("eurekube_streams_cut_total", cutSlow) == 0 {
					time.Sleep(time.Second)
				}
				if waited := time.Since(start); waited > writeTimeout+time.Second {
					t.Errorf("the client was cut after %v, want %v", waited, writeTimeout)
				}
				if open := r.count("eurekube_streams", ""); open != 1 {
					t.Errorf("%v streams are open, want that of the quick client", open)
				}
				r.say("3", up("B", "i3"))
				if last := told(); last.short() != "up i3 ADDED" {
					t.Errorf("the quick client was told %s last, want what came last", last.short())
				}
				quick.leave()
				slow.leave()
			})
		})
	}
}

// collect reads until the stream ends. The function tells what came last.
func (c *reader) collect() (last func() event) {
	var latest atomic.Pointer[event]
	go func() {
		for {
			e, err := c.next()
			if err != nil {
				return
			}
			latest.Store(&e)
		}
	}()
	return func() event {
		synctest.Wait()
		return *latest.Load()
	}
}

// TestAClientThatFallsBehindIsCut has a client take each write just in time while
// more is told than it takes, until changes that it has not got are forgotten: also
// those that were published together, which would be held for hours otherwise.
func TestAClientThatFallsBehindIsCut(t *testing.T) {
	inBubble(t, func(r *rig) {
		c := r.open("")
		c.expect(eventPing)
		for n := range 2000 {
			name := fmt.Sprint("n", n)
			r.registry.Replace(registry.OwnerPod, name, registry.Listed(up("B", name)))
		}
		start := time.Now()
		r.settle() // the stream is in the middle of these
		r.say("later", up("B", "later"))
		events, bytes := 0, 0
		for {
			e, err := c.next()
			if err != nil {
				break
			}
			events++
			if bytes += len(e.data); bytes > writeAt+writeAt/4 { // more than one write
				bytes = 0
				time.Sleep(writeTimeout - time.Second)
				r.say("3", up("B", fmt.Sprint("i", events)))
			}
		}
		if got := r.count("eurekube_streams_cut_total", cutBehind); got != 1 || events < 100 {
			t.Errorf("%v streams were cut for being behind after %d events, want 1 after some writes", got, events)
		}
		if lasted := time.Since(start); lasted > registry.DeltaWindow+2*writeTimeout {
			t.Errorf("the client was cut after %v, want it soon after the %v that changes are known", lasted, registry.DeltaWindow)
		}
		if got := r.count("eurekube_streams_cut_total", cutSlow); got != 0 {
			t.Errorf("%v streams were cut for a slow write, want none", got)
		}
		c.leave()
	})
}

// TestABodyThatNeverComesIsNotWaitedFor has clients announce a body and send none.
func TestABodyThatNeverComesIsNotWaitedFor(t *testing.T) {
	for _, header := range []string{"Content-Length: 5", "Transfer-Encoding: chunked"} {
		t.Run(header, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				c := r.open("", header, "Connection: close")
				c.expect(eventPing)
				r.say("3", up("B", "i3"))
				if got := c.expect("up").short(); got != "up i3 ADDED" {
					t.Errorf("event = %s, want up i3 ADDED", got)
				}
				start := time.Now()
				close(r.stopping)
				if _, err := c.next(); err == nil {
					t.Error("the stream goes on after the server stopped, want its end")
				}
				if _, err := c.conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
					t.Errorf("the connection gives %v, want its end", err)
				}
				if waited := time.Since(start); waited > time.Second {
					t.Errorf("the server waited %v for the rest of the request", waited)
				}
				if open := r.count("eurekube_streams", ""); open != 0 {
					t.Errorf("%v streams are open, want none", open)
				}
				c.leave()
			})
		})
	}
}
