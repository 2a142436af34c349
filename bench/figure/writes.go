package figure

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/eurekube/eurekube/bench/spring"
	"github.com/eurekube/eurekube/eureka/registry"
)

// Write is one kind of write, as Spring's applications send it.
type Write struct {
	Name string
	// Leases is how many there are before, which the writes are about in turn. If
	// New they are about others, each of which ends after the round.
	Leases int
	New    bool
	// Read says that somebody reads both lists as gzip, so that they are made ready
	// with every snapshot; what nobody reads is not.
	Read bool
	// Span is how long each server is asked in a round.
	Span time.Duration

	status        int // the answer to all of them
	appendRequest func(dst []byte, i int, dirty int64) []byte
}

// Heartbeat renews leases.
func Heartbeat(leases int) Write {
	return Write{Name: "heartbeat", Leases: leases, Span: heartbeatSpan, status: http.StatusOK, appendRequest: spring.AppendHeartbeat}
}

// Registrations are those of instances that are there and of new ones, beside a
// number of leases; and, dearest, all instances again and again while they are
// read.
func Registrations(leases int) []Write {
	register := Write{Leases: leases, Span: registerSpan, status: http.StatusNoContent, appendRequest: spring.AppendRegistration}
	again, fresh, read := register, register, register
	again.Name = "register-again"
	fresh.Name, fresh.New = "register-new", true
	read.Name, read.Read = "register-again-read", true
	return []Write{again, fresh, read}
}

// writers is over how many connections is written at once. Each client waits for
// its answer, and a registration's may wait for a snapshot.
const writers = 64

// A heartbeat leaves nothing to do; of registrations the time holds several
// snapshots.
const (
	heartbeatSpan = 200 * time.Millisecond
	registerSpan  = 10 * maxHoldoff
)

// MeasureWrite measures a write in rounds that ask our server and then one that
// reads the body and answers the same. Snapshots are published as the program
// does.
func MeasureWrite(ctx context.Context, rounds int, write Write) (Throughput, error) {
	l, err := serveLeases(ctx, write.Leases)
	if err != nil {
		return Throughput{}, err
	}
	defer l.close()
	if err := write.settle(ctx, l); err != nil {
		return Throughput{}, err
	}
	return compare(ctx, l.api, bareWrite(write.status), rounds, write.question(ctx, l))
}

// question asks for the write, about one instance after the other whatever the
// connection.
func (write Write) question(ctx context.Context, l *leased) question {
	var sent atomic.Int64
	ended := 0
	next := func(dst []byte) []byte {
		n := int(sent.Add(1) - 1)
		if write.New {
			return write.appendRequest(dst, write.Leases+n, began.UnixMilli())
		}
		return write.appendRequest(dst, n%write.Leases, began.UnixMilli())
	}
	return question{
		name: "write " + write.Name,
		dial: func(address string) (*wire, error) {
			w, err := dial(address)
			if err == nil {
				w.next = next
			}
			return w, err
		},
		connections: writers,
		span:        write.Span,
		settle:      func() { l.publisher.Shown(ctx) },
		between: func() error {
			if write.New {
				l.end(ctx, write.Leases+ended, write.Leases+int(sent.Load()))
				ended = int(sent.Load())
			}
			return write.settle(ctx, l)
		},
	}
}

// settle lets the delta forget everything and reads what is to be ready.
func (write Write) settle(ctx context.Context, l *leased) error {
	l.ahead.Add(int64(registry.DeltaWindow + time.Second))
	l.publisher.Shown(ctx)
	if !write.Read {
		return nil
	}
	return l.readAsSpring(ctx)
}

// began is when all instances changed last.
var began = time.Date(2026, time.March, 2, 8, 0, 0, 0, time.UTC)

// bareWrite is a handler that reads what is sent and does nothing else.
func bareWrite(status int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.WriteHeader(status)
	})
}
