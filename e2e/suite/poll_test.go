package suite_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eurekube/eurekube/e2e/suite"
)

// failure is a test that notes that it failed, in place of the one that runs.
type failure struct {
	testing.TB
	message string
}

func (f *failure) Helper() {}

func (f *failure) Fatal(args ...any) { f.fail(fmt.Sprint(args...)) }

func (f *failure) Fatalf(format string, args ...any) { f.fail(fmt.Sprintf(format, args...)) }

func (f *failure) fail(message string) {
	f.message = message
	runtime.Goexit()
}

func TestWaiting(t *testing.T) {
	const timeout = time.Second
	for _, test := range []struct {
		name    string
		wait    func(testing.TB, time.Duration, func() error)
		changes time.Duration // when what check says changes
		before  error         // what it says until then
		after   error
		lasts   time.Duration // at least; at most one poll more
		fails   string
	}{
		{name: "eventually, at once", wait: suite.Eventually},
		{name: "eventually, later", wait: suite.Eventually, changes: timeout / 2, before: errors.New("not yet"), lasts: timeout / 2},
		{
			name: "eventually, never", wait: suite.Eventually, changes: time.Hour, before: errors.New("not yet"),
			lasts: timeout, fails: "not within 1s: not yet",
		},
		{name: "throughout", wait: suite.Throughout, lasts: timeout},
		{
			name: "throughout, until it is not", wait: suite.Throughout, changes: timeout / 2, after: errors.New("no more"),
			lasts: timeout / 2, fails: "no more",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				fake := &failure{TB: t}
				done := make(chan struct{})
				go func() {
					defer close(done)
					test.wait(fake, timeout, func() error {
						if time.Since(began) < test.changes {
							return test.before
						}
						return test.after
					})
				}()
				<-done
				if lasted := time.Since(began); lasted < test.lasts || lasted > test.lasts+20*time.Millisecond {
					t.Errorf("it lasted %s, want %s", lasted, test.lasts)
				}
				if fake.message != test.fails {
					t.Errorf("the test failed with %q, want %q", fake.message, test.fails)
				}
			})
		})
	}
}
