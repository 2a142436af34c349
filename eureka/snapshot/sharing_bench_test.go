package snapshot

import (
	"testing"
	"time"

	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/registry"
)

// BenchmarkPublishRegistrations publishes snapshots while 10,000 instances register
// again and again, a fifth of them between two snapshots, and what is read is made
// ready as gzip in JSON: the list alone, or the list and the delta, which costs no
// more because both hold the same.
func BenchmarkPublishRegistrations(b *testing.B) {
	const pods, apps, between = 10_000, 400, 2_000
	for _, bench := range []struct {
		name  string
		kinds []int
	}{{"full", []int{full}}, {"both", []int{full, delta}}} {
		b.Run(bench.name, func(b *testing.B) {
			st := newStore(0, apps)
			registered := 0
			register := func(instances int) {
				for range instances {
					inst := pod(registered%pods, apps)
					inst.LastDirtyTimestamp += int64(registered)
					st.registry.Replace(registry.OwnerLease, inst.ID, registry.Listed(inst))
					registered++
				}
			}
			register(pods)
			for b.Loop() {
				b.StopTimer()
				register(between)
				for _, kind := range bench.kinds {
					st.asked.note(kind, codec.JSON, true, time.Now())
				}
				b.StartTimer()
				st.publish()
				st.asked.warm(st.Snapshot, time.Now())
			}
		})
	}
}
