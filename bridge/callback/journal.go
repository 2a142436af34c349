package callback

import (
	"time"

	"k8s.io/klog/v2"
)

// How many lines about services the log has at verbosity 0. Strangers register and
// end services as often as they like, and an outage of the network silences
// thousands at once; beyond this the metrics say how many.
const (
	journalWindow = time.Minute
	journalLines  = 100 // in one window
)

// journal counts the lines of one window. The bridge's mu guards it.
type journal struct {
	began time.Time
	lines int
}

// note logs that svc came or went. What is more than journalLines in a minute is
// logged at verbosity 2 only, which the log says once. The caller holds mu.
func (b *Bridge) note(svc *service, message string, keysAndValues ...any) {
	logger := klog.FromContext(b.ctx)
	if now := time.Now(); now.Sub(b.journal.began) >= journalWindow {
		b.journal = journal{began: now}
	}
	b.journal.lines++
	line := logger.WithCallDepth(1)
	if b.journal.lines > journalLines {
		line = line.V(2)
	}
	line.Info(message, append([]any{"app", svc.app, "instanceID", svc.id}, keysAndValues...)...)
	if b.journal.lines == journalLines {
		logger.Info("Callback services come and go too often for the log, which has the others of this minute at -v=2", "lines", journalLines)
	}
}
