package clients

import (
	"testing"
	"time"
)

const pollInterval = 20 * time.Millisecond

// soon is how long a change may take to be seen when no bound is under test. It is
// generous: a busy machine must not fail a test.
const soon = 20 * time.Second

// eventually calls check until it returns nil. When timeout has passed, it fails
// the test with what check said last.
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
