package callback

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSets(t *testing.T) {
	tests := []struct {
		name                            string
		a, b                            []string
		difference, union, intersection []string
	}{
		{name: "nothing"},
		{name: "one empty", a: []string{"a"}, difference: []string{"a"}, union: []string{"a"}},
		{name: "other empty", b: []string{"a"}, union: []string{"a"}},
		{name: "equal", a: []string{"a", "b"}, b: []string{"a", "b"}, union: []string{"a", "b"}, intersection: []string{"a", "b"}},
		{name: "overlap", a: []string{"a", "b", "d"}, b: []string{"b", "c"}, difference: []string{"a", "d"}, union: []string{"a", "b", "c", "d"}, intersection: []string{"b"}},
		{name: "apart", a: []string{"a", "b"}, b: []string{"c", "d"}, difference: []string{"a", "b"}, union: []string{"a", "b", "c", "d"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for what, pair := range map[string][2][]string{
				"difference":   {slices.Collect(difference(tt.a, tt.b)), tt.difference},
				"union":        {union(tt.a, tt.b), tt.union},
				"intersection": {intersection(tt.a, tt.b), tt.intersection},
			} {
				if !slices.Equal(pair[0], pair[1]) {
					t.Errorf("%s of %v and %v = %v, want %v", what, tt.a, tt.b, pair[0], pair[1])
				}
			}
		})
	}
}

// Whatever patches arrive and whatever is lost, a program that takes the last one
// knows what is so.
func TestKnowledge_AProgramEndsUpKnowing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var k knowledge
		program := map[string]bool{}
		for step := range 10 {
			var now []string
			for _, url := range []string{"a", "b", "c", "d"} {
				if random.IntN(2) == 0 {
					now = append(now, url)
				}
			}
			p := newPatch()
			p.compare("Name", k, now)
			lost, unanswered := random.IntN(3) == 0, random.IntN(3) == 0
			if step == 9 {
				lost, unanswered = false, false
			}
			if !lost {
				for _, a := range p.Added {
					program[a.URL] = true
				}
				for _, r := range p.Removed {
					delete(program, r.URL)
				}
			}
			if lost || unanswered {
				k = k.unsettled(now)
				continue
			}
			k = learned(now)
			got := []string{}
			for url := range program {
				got = append(got, url)
			}
			slices.Sort(got)
			if diff := cmp.Diff(append([]string{}, now...), got); diff != "" {
				t.Fatalf("the program knows (-want +got):\n%s", diff)
			}
		}
	}
}

func TestKnowledge_IsBounded(t *testing.T) {
	var k knowledge
	for n := range 20 {
		var now []string
		for i := range maxStale / 10 {
			now = append(now, fmt.Sprintf("%02d-%04d", n, i))
		}
		k = k.unsettled(now)
		if stale := len(k.maybe) - len(now); stale > maxStale {
			t.Fatalf("%d providers that are gone are remembered, want %d at most", stale, maxStale)
		}
	}
}
