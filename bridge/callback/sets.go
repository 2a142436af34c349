package callback

import "iter"

// Sets are sorted slices without repetition. They are compared by walking both, for
// ten thousand programs may know the same ten thousand providers: a slice is shared
// by all of them, and a map would not be.

// same reports whether two sets are one slice, which most are.
func same(a, b []string) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// difference yields what is in a and not in b.
func difference(a, b []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if same(a, b) {
			return
		}
		for _, x := range a {
			for len(b) > 0 && b[0] < x {
				b = b[1:]
			}
			if len(b) > 0 && b[0] == x {
				continue
			}
			if !yield(x) {
				return
			}
		}
	}
}

// intersection is what is in both.
func intersection(a, b []string) []string {
	if same(a, b) {
		return a
	}
	var both []string
	for _, x := range a {
		for len(b) > 0 && b[0] < x {
			b = b[1:]
		}
		if len(b) > 0 && b[0] == x {
			both = append(both, x)
		}
	}
	return both
}

// union is what is in either.
func union(a, b []string) []string {
	if same(a, b) {
		return a
	}
	either := make([]string, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			either, a = append(either, a[0]), a[1:]
		case a[0] > b[0]:
			either, b = append(either, b[0]), b[1:]
		default:
			either, a, b = append(either, a[0]), a[1:], b[1:]
		}
	}
	return append(append(either, a...), b...)
}
