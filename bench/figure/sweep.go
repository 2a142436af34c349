package figure

import (
	"context"
	"net/netip"
	"runtime"
	"time"

	"github.com/eurekube/eurekube/bench/spring"
	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/lease"
	"github.com/eurekube/eurekube/eureka/registry"
)

// MeasureSweep measures the share of one core that a store uses to look after
// leases none of which is over, for duration.
func MeasureSweep(ctx context.Context, leases int, duration time.Duration) (cores float64, err error) {
	store := lease.NewStore(lease.Config{Registry: registry.New(time.Now), Mode: lease.ModeOn, Threshold: preserveThreshold, Ceiling: preserveForAtTheMost})
	for i := range leases {
		inst := &eureka.Instance{App: spring.App(i), ID: spring.ID(i), Lease: eureka.Lease{DurationInSecs: int(time.Hour / time.Second)}}
		if err := store.Register(ctx, inst, netip.Addr{}, false); err != nil {
			return 0, err
		}
	}
	runtime.GC() // of what registering left
	ctx, stop := context.WithTimeout(ctx, duration)
	defer stop()
	used, err := processorTime()
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if err := store.Run(ctx); err != nil {
		return 0, err
	}
	elapsed := time.Since(began)
	usedThen, err := processorTime()
	return (usedThen - used).Seconds() / elapsed.Seconds(), err
}
