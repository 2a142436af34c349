package figure

import (
	"slices"
	"syscall"
	"time"
)

// processorTime is what this process has used, in user and kernel mode. On a
// machine that others use too it is steadier than the clock.
func processorTime() (time.Duration, error) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, err
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), nil
}

// median is the middle of values, which must not be empty; they are sorted.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
