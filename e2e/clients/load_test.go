package clients

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eurekube/eurekube/e2e/suite"
)

// load calls without a pause. Its fields may be read once run has returned.
type load struct {
	url   string
	ended *atomic.Int64 // calls

	mu       sync.Mutex // guards the rest
	calls    int
	answers  map[string]int // by who answered
	failures []string
}

func (l *load) run(ctx context.Context) error {
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for {
		status, answer, err := send(ctx, http.MethodGet, l.url, "")
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return fmt.Errorf("ask the client to call: %w", err)
		}
		l.record(status, answer)
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
	}
}

func (l *load) record(status int, answer string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls++
	l.ended.Add(1)
	if status == http.StatusOK {
		l.answers[answer]++
	} else {
		l.failures = append(l.failures, fmt.Sprintf("%d %.300q", status, answer))
	}
}

// expectAnswers waits until that many pods have answered.
func (l *load) expectAnswers(t *testing.T, pods int) {
	t.Helper()
	suite.Eventually(t, soon, func() error {
		l.mu.Lock()
		defer l.mu.Unlock()
		if len(l.answers) < pods {
			return fmt.Errorf("%d calls went to %d pods, want %d: %v", l.calls, len(l.answers), pods, l.answers)
		}
		return nil
	})
}
