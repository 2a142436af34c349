package figure

import (
	"slices"
	"time"
)

// Latency is how long something took, over all samples.
type Latency struct {
	Samples       int
	P50, P99, Max time.Duration
}

// latencyOf sorts took, which must not be empty.
func latencyOf(took []time.Duration) Latency {
	slices.Sort(took)
	n := len(took)
	return Latency{Samples: n, P50: took[n/2], P99: took[(n*99+99)/100-1], Max: took[n-1]}
}
