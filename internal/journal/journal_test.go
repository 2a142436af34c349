package journal

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"
)

// logged is a logger, and what it logged at verbosity 0 since the last call.
func logged() (logger klog.Logger, lines func() []string) {
	logger = ktesting.NewLogger(ktesting.NopTL{}, ktesting.NewConfig(ktesting.BufferLogs(true), ktesting.Verbosity(2)))
	told := 0
	return logger, func() (lines []string) {
		all := logger.GetSink().(ktesting.Underlier).GetBuffer().Data()
		for _, entry := range all[told:] {
			if entry.Verbosity == 0 {
				lines = append(lines, fmt.Sprint(entry.Message, entry.ParameterKVList))
			}
		}
		told = len(all)
		return lines
	}
}

func TestJournal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logger, lines := logged()
		j := Journal{About: "tests"}
		write := func(n int) {
			for range n {
				j.Info(logger, "Came", "n", 1)
			}
			j.Flush(logger)
		}
		want := func(came int, more ...string) {
			t.Helper()
			var all []string
			for range came {
				all = append(all, "Came[n 1]")
			}
			if diff := cmp.Diff(append(all, more...), lines()); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		}
		write(60)
		want(60)
		write(60)
		want(40)
		time.Sleep(Window - 1)
		write(1)
		want(0)
		time.Sleep(1)
		j.Flush(logger)
		want(0, "Left lines out of the log, which has them at -v=2[about tests leftOut 21 within 1m0s]")
		write(100)
		want(100)
		time.Sleep(Window)
		write(1) // nothing was left out
		want(1)
		write(Lines)
		want(Lines - 1)
		time.Sleep(2 * Window)
		write(1)
		want(1, "Left lines out of the log, which has them at -v=2[about tests leftOut 1 within 1m0s]")
	})
}

func TestWhatIsNotLoggedTakesNoRoom(t *testing.T) {
	logger, lines := logged()
	j := Journal{About: "tests"}
	for range 2 * Lines {
		j.Info(logger.V(3), "Unseen")
	}
	j.Info(logger, "Seen")
	if diff := cmp.Diff([]string{"Seen[]"}, lines()); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}
