package auth

import (
	"bytes"
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"
)

// lockedBuffer is a log that is written and read by several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), text)
}

func TestChangesAreInForceWithinTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, "old:hunter2", hashed(t, "kept", "first"))
		log := &lockedBuffer{}
		ctx, cancel := context.WithCancel(klog.NewContext(t.Context(), textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(log)))))
		done := make(chan error)
		go func() { done <- f.Run(ctx) }()
		check := func(user, password string, want bool) {
			t.Helper()
			if got := verify(t, f, user, password); got != want {
				t.Errorf("Verify(%q, …) = %v, want %v", user, got, want)
			}
		}
		check("kept", "first", true) // and is remembered

		write(t, f.path, "new:hunter2", hashed(t, "kept", "second"))
		time.Sleep(10 * time.Second)
		check("old", "hunter2", false)
		check("new", "hunter2", true)
		check("kept", "first", false)
		check("kept", "second", true)

		write(t, f.path, "broken")
		time.Sleep(time.Minute)
		check("new", "hunter2", true)
		if n := log.count("Users cannot be taken over"); n != 1 {
			t.Errorf("a broken file was logged %d times in a minute, want once", n)
		}

		if err := os.Remove(f.path); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		check("new", "hunter2", true)
		if n := log.count("Users cannot be taken over"); n != 2 {
			t.Errorf("a broken and a missing file were logged %d times, want twice", n)
		}

		write(t, f.path, "third:hunter2")
		time.Sleep(10 * time.Second)
		check("third", "hunter2", true)
		check("new", "hunter2", false)
		if log.count("hunter2") != 0 {
			t.Error("the log gives a password away")
		}
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run = %v", err)
		}
	})
}
