package lease

import (
	"context"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/internal/journal"
)

// journals are the lines that say who came, who went and who was overridden. Each
// kind has a bound of its own, so that a flood of one hides none of the others.
type journals struct {
	registered, cancelled, evicted, overridden journal.Journal
}

// all are the journals, to be flushed.
func (j *journals) all() []*journal.Journal {
	return []*journal.Journal{&j.registered, &j.cancelled, &j.evicted, &j.overridden}
}

// name says what each is about.
func (j *journals) name() {
	j.registered.About = "registrations"
	j.cancelled.About = "cancels"
	j.evicted.About = "evictions"
	j.overridden.About = "overrides"
}

// note logs what became of k, which is one with pod unless that is empty. Who asked
// for it is in the logger of ctx. The caller holds no lock.
func note(ctx context.Context, j *journal.Journal, k key, pod, message string, keysAndValues ...any) {
	values := append([]any{"app", k.app, "instanceID", k.id}, keysAndValues...)
	if pod != "" {
		values = append(values, "pod", pod)
	}
	j.Info(klog.FromContext(ctx).WithCallDepth(1), message, values...)
}
