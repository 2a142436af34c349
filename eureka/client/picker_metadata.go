package client

import (
	"cmp"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/eurekube/eurekube/eureka"
)

// WeightKey is the metadata under which [Weighted] finds an instance's weight.
const WeightKey = "weight"

// zoneOf is where an instance runs: metadata "zone", which Eurekube fills in for
// pods and Spring's clients give, else Amazon's zone.
func zoneOf(inst *eureka.Instance) string {
	return cmp.Or(inst.Metadata["zone"], inst.DataCenterInfo.Metadata["availability-zone"])
}

// PreferZone lets next choose among the instances of a zone, and among all when the
// zone has none that is UP.
func PreferZone(zone string, next Picker) Picker {
	return PickerFunc(func(name string, instances []*eureka.Instance) *eureka.Instance {
		var near []*eureka.Instance
		for _, inst := range instances {
			if zoneOf(inst) == zone {
				near = append(near, inst)
			}
		}
		if len(near) == 0 {
			near = instances
		}
		return next.Pick(name, near)
	})
}

// Weighted chooses at random, each instance as often as its metadata [WeightKey]
// says in comparison with the others: a number from 0 to 1,000,000. One that is
// absent or cannot be read is 1. An instance of weight 0 is chosen only when all
// have it.
func Weighted() Picker {
	return PickerFunc(func(_ string, instances []*eureka.Instance) *eureka.Instance {
		total := 0.0
		for _, inst := range instances {
			total += weightOf(inst)
		}
		if total == 0 {
			return instances[rand.N(len(instances))]
		}
		at := rand.Float64() * total
		var last *eureka.Instance
		for _, inst := range instances {
			weight := weightOf(inst)
			if weight == 0 {
				continue
			}
			if last = inst; at < weight {
				break
			}
			at -= weight
		}
		return last // rounding may leave a little of at
	})
}

const maxWeight = 1_000_000

func weightOf(inst *eureka.Instance) float64 {
	text, given := inst.Metadata[WeightKey]
	if !given {
		return 1
	}
	weight, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(weight) || weight < 0 || weight > maxWeight {
		return 1
	}
	return weight
}
