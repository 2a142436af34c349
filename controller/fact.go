package controller

import (
	"context"
	"time"

	"k8s.io/client-go/tools/cache"
)

// factWait is how long listed pods wait for a fact about them, such as the zones
// of nodes. Without the wait the first answers would lack it and every instance
// would change a moment later; without its end, a fact that never comes would
// keep every pod from being listed.
const factWait = 5 * time.Second

// awaitFact returns when the fact is known, when it is refused, or a little after
// pods were listed all the same. A nil channel stands for what never happens.
func awaitFact(ctx context.Context, pods cache.DoneChecker, known, refused <-chan struct{}) {
	listed := pods.Done()
	var late <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-known:
			return
		case <-refused:
			return
		case <-late:
			return
		case <-listed:
			listed, late = nil, time.After(factWait)
		}
	}
}
