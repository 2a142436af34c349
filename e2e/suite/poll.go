package suite

import (
	"testing"
	"time"
)

const pollInterval = 10 * time.Millisecond

// Eventually calls check until it returns nil. When timeout has passed, it fails
// the test at once with what check said last. It must be called by the goroutine of
// the test.
func Eventually(t testing.TB, timeout time.Duration, check func() error) {
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

// Throughout calls check again and again for the whole of duration and fails the
// test at once when it says anything but nil. It must be called by the goroutine of
// the test.
func Throughout(t testing.TB, duration time.Duration, check func() error) {
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
