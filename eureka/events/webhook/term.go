package webhook

import (
	"context"
	"net/url"
	"sync"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka/snapshot"
)

// term is the time in which a Sender runs. It is for one goroutine.
type term struct {
	sender  *Sender
	told    map[string]*receiver // by URL without the password
	posting sync.WaitGroup
}

// follow puts each change into all queues until ctx ends.
func (t *term) follow(ctx context.Context, after snapshot.Token) {
	urls, replaced := t.sender.receivers()
	t.tell(ctx, urls)
	at := t.sender.config.Snapshot()
	if after != (snapshot.Token{}) {
		t.put(ctx, at, after)
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-replaced:
			urls, replaced = t.sender.receivers()
			t.tell(ctx, urls)
		case <-at.Moved():
			next := t.sender.config.Snapshot()
			t.put(ctx, next, at.Token())
			at = next
		}
	}
}

// put has all receivers told what s knows after a place.
func (t *term) put(ctx context.Context, s *snapshot.Snapshot, after snapshot.Token) {
	changes, known := s.Since(after)
	if !known { // more than a feed holds: nobody could be told for long
		changes = s.Changes()
		missed := s.Sequence() - after.Sequence - int64(len(changes))
		klog.FromContext(ctx).Info("Changes were lost before webhooks could be told", "changes", missed)
		for _, r := range t.told {
			r.queue.lost(missed, droppedOld)
		}
	}
	for _, change := range changes {
		for _, r := range t.told {
			r.queue.put(event{change, s.Token()})
		}
	}
}

// tell makes urls those who are told.
func (t *term) tell(ctx context.Context, urls []*url.URL) {
	gone := t.told
	t.told = make(map[string]*receiver, len(urls))
	for _, u := range urls {
		key := u.Redacted()
		r := gone[key]
		if r != nil {
			r.url.Store(u)
		} else {
			r = t.sender.newReceiver(u)
			var receiving context.Context
			receiving, r.stop = context.WithCancel(ctx)
			t.posting.Go(func() { r.run(receiving) })
		}
		t.told[key] = r
		delete(gone, key)
	}
	for _, r := range gone {
		r.stop()
		<-r.ended
		r.queue.end(droppedRemoved)
	}
}

// end waits until nobody is told any more; the context of all has ended.
func (t *term) end() {
	t.posting.Wait()
	for _, r := range t.told {
		r.stop()
		r.queue.end(droppedEnded)
	}
}
