// Package pause waits between two tries or two rounds of work, for no longer than
// whoever asked for the work wants it.
//
// It is for goroutines that repeat something and end with a context. It is not for
// how long to wait, which each of them decides, and not for waiting for anything but
// time.
package pause

import (
	"context"
	"time"
)

// For waits for d, and not at all when d is not above zero. It reports false if ctx
// ended before. It leaves no timer behind.
func For(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		// A timer would be run by this goroutine in place of the scheduler, which
		// crashes Go 1.26's race detector where many do so in one synctest bubble.
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return ctx.Err() == nil // both may have come
	}
}
