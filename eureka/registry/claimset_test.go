package registry

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestClaimSet adds and removes at random, through sizes with and without index.
func TestClaimSet(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	claims := make([]*claim, 3*searchable)
	for i := range claims {
		claims[i] = &claim{}
	}
	var set claimSet
	want := make(map[*claim]bool)
	for step := range 5000 {
		c := claims[rnd.IntN(len(claims))]
		growing := step/500%2 == 0
		if rnd.IntN(4) == 0 != growing {
			set.add(c)
			want[c] = true
		} else {
			set.remove(c)
			delete(want, c)
		}
		if len(set.list) != len(want) || slices.ContainsFunc(set.list, func(c *claim) bool { return !want[c] }) {
			t.Fatalf("step %d: the set has %d claims, want %d", step, len(set.list), len(want))
		}
	}
}
