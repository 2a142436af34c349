package cases

import (
	"testing"
	"time"
)

const pollInterval = 10 * time.Millisecond

// eventually calls check until it returns nil. When timeout has passed, it
// fails the test with what check said last.
func eventually(t *testing.T, timeout time.Duration, check func() error) {
	t.Helper()
	deadline := time.After(timeout)
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		last := check()
		if last == nil {
			return
		}
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatalf("not within %s: %v", timeout, last)
		}
	}
}

// throughout calls check again and again for the whole of duration and fails
// the test when it says anything but nil once.
func throughout(t *testing.T, duration time.Duration, check func() error) {
	t.Helper()
	end := time.After(duration)
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		if err := check(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ticker.C:
		case <-end:
			return
		}
	}
}
