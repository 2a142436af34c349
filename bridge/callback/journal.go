package callback

import (
	"context"
	"time"

	"k8s.io/klog/v2"
)

// flushInterval is how late the log may say how many lines about services it lacks.
const flushInterval = 10 * time.Second

// note logs that svc came or went, within the bound of the journal: strangers register
// and end services as often as they like, and an outage of the network silences
// thousands at once. Beyond it the metrics say how many.
func (b *Bridge) note(svc *service, message string, keysAndValues ...any) {
	b.journal.Info(klog.FromContext(b.ctx).WithCallDepth(1), message, append([]any{"app", svc.app, "instanceID", svc.id}, keysAndValues...)...)
}

// beside is the context for changes of leases, which note tells of: the lines that the
// leases have of their own are for those who want more.
func (b *Bridge) beside() context.Context {
	return klog.NewContext(b.ctx, klog.FromContext(b.ctx).V(2))
}
