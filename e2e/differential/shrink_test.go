package differential

import (
	"slices"
	"time"
)

// shrinking bounds the search for a shorter sequence.
const shrinking = time.Minute

// shortest takes requests out of a sequence that fails for as long as what is left
// fails: halves at first, then ever smaller parts (Zeller's delta debugging, without
// its complements). fails plays a sequence.
func shortest(requests []request, fails func([]request) (bool, error)) ([]request, error) {
	until := time.Now().Add(shrinking)
	for size := len(requests) / 2; size > 0; size /= 2 {
		for from := 0; from < len(requests); {
			if time.Now().After(until) {
				return requests, nil
			}
			fewer := slices.Delete(slices.Clone(requests), from, min(from+size, len(requests)))
			fail, err := fails(fewer)
			if err != nil {
				return requests, err
			}
			if fail {
				requests = fewer
			} else {
				from += size
			}
		}
	}
	return requests, nil
}
