package webhook

import (
	"context"
	"sync"

	"github.com/eurekube/eurekube/eureka/snapshot"
)

// maxQueue is how many changes may wait for one receiver: as many as the whole feed
// holds. The oldest are dropped for newer ones, which say more of what is true.
const maxQueue = 10_000

// event is a change to be told, with the server's place in its changes.
type event struct {
	change *snapshot.Change
	token  snapshot.Token
}

// queue is what one receiver is still to be told, oldest first.
type queue struct {
	name    string
	metrics *metrics
	filled  chan struct{} // capacity one: there may be something

	mu      sync.Mutex // guards all below
	events  []event
	waiting int // as the metric has it, which webhooks of one host share
}

func newQueue(m *metrics, name string) *queue {
	return &queue{name: name, metrics: m, filled: make(chan struct{}, 1)}
}

// put appends an event and drops the oldest one if there are too many.
func (q *queue) put(e event) {
	q.mu.Lock()
	q.events = append(q.events, e)
	if len(q.events) > maxQueue {
		q.events = q.events[1:]
		q.lost(1, droppedFull)
	}
	q.count()
	q.mu.Unlock()
	select {
	case q.filled <- struct{}{}:
	default:
	}
}

// lost counts changes that the receiver will never be told.
func (q *queue) lost(n int64, reason string) {
	q.metrics.dropped.WithLabelValues(q.name, reason).Add(float64(n))
}

// oldest returns the oldest event without taking it, and waits for one. It
// reports false when ctx ended.
func (q *queue) oldest(ctx context.Context) (event, bool) {
	for {
		q.mu.Lock()
		if len(q.events) > 0 {
			e := q.events[0]
			q.mu.Unlock()
			return e, true
		}
		q.mu.Unlock()
		select {
		case <-ctx.Done():
			return event{}, false
		case <-q.filled:
		}
	}
}

// done takes e away, unless it was dropped meanwhile.
func (q *queue) done(e event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.events) > 0 && q.events[0].change == e.change {
		q.events[0] = event{} // so that nothing keeps it
		q.events = q.events[1:]
	}
	q.count()
}

// end drops what is left.
func (q *queue) end(reason string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lost(int64(len(q.events)), reason)
	q.events = nil
	q.count()
}

// count notes how many events wait. The caller holds mu.
func (q *queue) count() {
	q.metrics.waiting.WithLabelValues(q.name).Add(float64(len(q.events) - q.waiting))
	q.waiting = len(q.events)
}
