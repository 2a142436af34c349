package callback

import "encoding/json"

// patch is what a program is told, on the wire.
type patch struct {
	Added   []provider
	Removed []provider
}

// provider is one that came or went, under the name that the program required.
type provider struct {
	Name string
	URL  string
}

// newPatch is one that says nothing. Programs take null for a list that is missing,
// so there are always two.
func newPatch() *patch { return &patch{Added: []provider{}, Removed: []provider{}} }

func (p *patch) empty() bool { return len(p.Added)+len(p.Removed) == 0 }

// encode is the patch as JSON.
func (p *patch) encode() []byte {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // strings have an encoding
	}
	return text
}

// knowledge is what a program knows of the providers of one name, as far as that is
// certain: after a delivery without an answer it may know of them or not. Both lists
// are sorted, and never changed.
type knowledge struct {
	sure  []string // it surely knows these
	maybe []string // it knows no others than these, which include the sure ones
}

// learned is what the program knows after it took a patch to now.
func learned(now []string) knowledge { return knowledge{now, now} }

// maxStale is how many providers that are gone are remembered for a program that
// answers probes and no patch.
const maxStale = 10_000

// unsettled is what the program knows after a patch to now that may have arrived.
func (k knowledge) unsettled(now []string) knowledge {
	maybe := union(k.maybe, now)
	if len(maybe) > len(now)+maxStale {
		maybe = now
	}
	return knowledge{sure: intersection(k.sure, now), maybe: maybe}
}

// compare adds to p what a program has to be told about name so that it knows now:
// what was told already is told again unless that is sure to have arrived.
func (p *patch) compare(name string, k knowledge, now []string) {
	for url := range difference(now, k.sure) {
		p.Added = append(p.Added, provider{name, url})
	}
	for url := range difference(k.maybe, now) {
		p.Removed = append(p.Removed, provider{name, url})
	}
}
