package lease

import (
	"context"
	"math"
	"time"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka"
)

// sweepInterval is how late a lease may end.
const sweepInterval = time.Second

// Run ends leases that are over, once a second, until ctx ends; then it returns
// nil. It may be called once.
func (s *Store) Run(ctx context.Context) error {
	sweeper := newSweep(s)
	ticker := time.NewTicker(sweepInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			sweeper.run(ctx)
			for _, j := range s.journal.all() {
				j.Flush(klog.FromContext(ctx))
			}
		}
	}
}

// sweep looks through all leases. It belongs to one goroutine; what it keeps
// between two runs spares allocations.
type sweep struct {
	store    *Store
	preserve preservation
	rate     minute

	now      time.Duration
	all      []sighting      // of one shard
	hasPods  map[string]bool // by app
	overdue  []*entry
	late     []*entry // overdue, and none of self-preservation's
	foreign  []*entry
	onTime   int     // leases that are none of self-preservation's
	expected float64 // renewals per minute
	count    Stats
}

// sighting is what of a lease may change while it is looked at.
type sighting struct {
	*entry
	inst       *eureka.Instance
	pod        string
	overridden bool
}

func newSweep(s *Store) *sweep {
	return &sweep{
		store:    s,
		preserve: preservation{threshold: s.config.Threshold, ceiling: s.config.Ceiling},
		hasPods:  make(map[string]bool),
	}
}

// run is one look at all leases.
func (w *sweep) run(ctx context.Context) {
	w.now = w.store.clock()
	w.overdue, w.late, w.foreign = w.overdue[:0], w.late[:0], w.foreign[:0]
	w.count, w.expected, w.onTime = Stats{}, 0, 0
	clear(w.hasPods)

	var renewals uint64
	for i := range w.store.shards {
		sh := &w.store.shards[i]
		renewals += sh.renewals.Load()
		w.collect(sh)
		for _, e := range w.all {
			w.look(sh, e)
		}
	}
	w.judge(ctx)
	w.endLate(ctx)
	w.endForeign(ctx)

	w.count.ExpectedRenewalsPerMinute = int(math.Round(w.expected))
	w.count.ActualRenewalsPerMinute = int(w.rate.grown(int64(w.now/time.Second), renewals))
	stats := w.count
	w.store.stats.Store(&stats)
	w.release()
}

// release lets go of leases, so that ended ones can be freed.
func (w *sweep) release() {
	clear(w.all[:cap(w.all)])
	clear(w.overdue[:cap(w.overdue)])
	clear(w.late[:cap(w.late)])
	clear(w.foreign[:cap(w.foreign)])
}

// collect notes the leases of a shard and forgets overrides whose time is over.
// Only this holds up registrations, so it does nothing else.
func (w *sweep) collect(sh *shard) {
	w.all = w.all[:0]
	sh.mu.RLock()
	for _, e := range sh.leases {
		w.all = append(w.all, sighting{e, e.inst, e.pod, e.override != ""})
		if e.override != "" && e.pod == "" {
			w.count.Overrides++
		}
	}
	kept := len(sh.kept)
	sh.mu.RUnlock()
	if kept > 0 {
		w.count.Overrides += sh.forgetOverrides(w.now)
	}
}

// look counts a lease and notes what is to be done about it.
func (w *sweep) look(sh *shard, e sighting) {
	if w.isPod(sh, e) {
		return
	}
	if _, foreign := w.store.foreign(e.inst); foreign {
		w.foreign = append(w.foreign, e.entry)
	}
	w.count.Leases++
	w.expected += e.renewalsPerMinute()
	overdue := e.overdue(w.now)
	switch {
	case e.onTime && overdue:
		w.onTime++
		w.late = append(w.late, e.entry)
	case e.onTime:
		w.onTime++
	case overdue:
		w.count.Overdue++
		w.overdue = append(w.overdue, e.entry)
	}
}

// uncount takes a lease that ended out of the counts.
func (w *sweep) uncount(e *entry) {
	w.count.Leases--
	w.expected -= e.renewalsPerMinute()
	if e.overdue(w.now) && !e.onTime {
		w.count.Overdue--
	}
}

// isPod reports whether a lease is one with a pod, and notes in it when that has
// changed. Only apps that have pods can have such leases, so for all others the
// registry is asked once a run.
func (w *sweep) isPod(sh *shard, e sighting) bool {
	has, asked := w.hasPods[e.app]
	if !asked {
		has = w.store.config.Registry.HasPods(e.app)
		w.hasPods[e.app] = has
	}
	pod := ""
	if has {
		pod = w.store.podOfLease(e.key)
	}
	switch {
	case pod == "" && e.pod != "":
		e.renew(w.now) // nobody counted its heartbeats while it was a pod's
		sh.setPod(e.entry, "")
	case pod != "" && (pod != e.pod || e.overridden):
		w.store.join(sh, e.entry, pod)
	}
	return pod != ""
}

// judge decides about self-preservation and ends the overdue leases if it is not
// active.
func (w *sweep) judge(ctx context.Context) {
	was := w.preserve.active
	w.preserve.decide(w.now, w.count.Leases-w.onTime, w.count.Overdue)
	w.count.SelfPreservation = w.preserve.active
	logger := klog.FromContext(ctx)
	switch {
	case w.preserve.active && !was:
		logger.Info("Self-preservation began: overdue leases do not expire", "leases", w.count.Leases, "overdue", w.count.Overdue)
	case was && !w.preserve.active:
		logger.Info("Self-preservation ended: overdue leases expire", "leases", w.count.Leases, "overdue", w.count.Overdue,
			"lasted", w.now-w.preserve.since, "ceilingReached", w.now-w.preserve.since >= w.preserve.ceiling)
	}
	if w.preserve.active {
		return
	}
	for _, e := range w.overdue {
		if w.evict(ctx, e) && !was { // those that the end of an outage leaves behind are no sign of another
			w.preserve.expire(e, w.now)
		}
	}
}

// endLate ends the overdue leases that self-preservation does not keep.
func (w *sweep) endLate(ctx context.Context) {
	for _, e := range w.late {
		w.evict(ctx, e)
	}
}

// evict ends an overdue lease, unless it was renewed meanwhile, and reports
// whether it did.
func (w *sweep) evict(ctx context.Context, e *entry) bool {
	if !w.store.evict(e, w.now) {
		return false
	}
	w.uncount(e)
	w.store.metrics.evictions.Inc()
	note(ctx, &w.store.journal.evicted, e.key, "", "Evicted an instance because its lease was over", "duration", e.duration, "overdue", (w.now - e.lastRenewal() - e.duration).Round(time.Millisecond))
	return true
}

// endForeign ends leases with names that belong to pods that came later.
func (w *sweep) endForeign(ctx context.Context) {
	for _, e := range w.foreign {
		if name, ended := w.store.endForeign(e); ended {
			w.uncount(e)
			note(ctx, &w.store.journal.evicted, e.key, "", "Evicted an instance because a name of it belongs to pods", "name", name.String())
		}
	}
}
