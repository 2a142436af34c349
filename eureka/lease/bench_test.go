package lease

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka/registry"
)

// unlogged is a context without a log.
var unlogged = klog.NewContext(context.Background(), klog.Logger{})

// large is a store with n instances in n/25 apps, and how to name each.
func large(tb testing.TB, n int) (s *Store, apps, ids []string) {
	s = NewStore(Config{Registry: registry.New(time.Now), Mode: ModeOn, Threshold: 0.85, Ceiling: time.Hour})
	for i := range n {
		apps, ids = append(apps, fmt.Sprint("APP-", i%(n/25+1))), append(ids, fmt.Sprintf("host-%d.example.org:app:8080", i))
		if err := s.Register(unlogged, registration(apps[i], ids[i]), noAddr, false); err != nil {
			tb.Fatal(err)
		}
	}
	return s, apps, ids
}

// TestRenewAllocatesNothing, since heartbeats are most of all requests.
func TestRenewAllocatesNothing(t *testing.T) {
	s, apps, ids := large(t, 100)
	tests := map[string]struct {
		app, id string
		renewal Renewal
	}{
		"known":             {apps[7], ids[7], Renewal{LastDirty: 1000, HasLastDirty: true}},
		"from a peer":       {apps[7], ids[7], Renewal{LastDirty: 1000, HasLastDirty: true, Replica: true}},
		"of a newer client": {apps[7], ids[7], Renewal{LastDirty: 2000, HasLastDirty: true}},
		"unknown app":       {"NOBODY", "nobody", Renewal{}},
	}
	for name, tt := range tests {
		if got := testing.AllocsPerRun(200, func() { _ = s.Renew(unlogged, tt.app, tt.id, tt.renewal) }); got != 0 {
			t.Errorf("%s: %v allocations, want none", name, got)
		}
	}
}

func BenchmarkRenewParallel(b *testing.B) {
	s, apps, ids := large(b, 10_000)
	var next atomic.Uint64
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for i := next.Add(7919); pb.Next(); i++ {
			n := i % uint64(len(ids))
			if err := s.Renew(unlogged, apps[n], ids[n], Renewal{LastDirty: 1000, HasLastDirty: true}); err != nil {
				b.Error(err)
			}
		}
	})
}

func BenchmarkRegister(b *testing.B) {
	s, apps, ids := large(b, 10_000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		n := i % len(ids)
		if err := s.Register(unlogged, registration(apps[n], ids[n], dirty(int64(1000+i))), noAddr, false); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSweep(b *testing.B) {
	for _, apps := range []string{"without pods", "with pods"} {
		b.Run("leases=100000/apps "+apps, func(b *testing.B) {
			s, names, _ := large(b, 100_000)
			if apps == "with pods" {
				for i, name := range names[:4001] {
					inst := registration(name, fmt.Sprint("pod-", i))
					s.config.Registry.Replace(registry.OwnerPod, fmt.Sprint(i), registry.Listed(inst, registry.Endpoint{Host: inst.ID, Port: 1}))
				}
			}
			sweeper := newSweep(s)
			b.ReportAllocs()
			for b.Loop() {
				sweeper.run(b.Context())
			}
			if got := s.Stats().Leases; got != 100_000 {
				b.Fatalf("%d leases were counted, want 100000", got)
			}
		})
	}
}
