package differential

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/eurekube/eurekube/e2e/flat"
)

// rig is a pair of servers that sequences are played on, one after the other.
type rig struct {
	spring, ours *server
	plays        int
	allowed      *allowances
}

// failure is a difference that nobody wants, or a server that does not answer.
type failure struct {
	step     int
	text     string // what differs, or the error
	evidence string // request and answers
}

// play sends the requests to both servers and returns the first step after which
// they differ, nil when they never do. Both are empty before and after it.
func (g *rig) play(requests []request) (*failure, error) {
	g.plays++
	p := &play{rig: g, names: newNames(g.plays)}
	var found *failure
	for i, r := range requests {
		if f := p.step(r); f != nil {
			f.step = i
			found = f
			break
		}
	}
	return found, g.empty()
}

// play is one run of a sequence.
type play struct {
	*rig
	names *names
}

// step sends one request, and then reads what it may have changed.
func (p *play) step(r request) *failure {
	sent := p.names.expand(r)
	found, parted := p.compare(r.name, sent)
	if found == nil && !parted && r.isWrite() {
		if r.isReplica() {
			p.settle()
		}
		for _, touched := range sent.touches {
			read := request{method: http.MethodGet, path: touched.path(), headers: []string{"Accept: application/json"}}
			f, differs := p.compare(r.name+", then the instance", read)
			if f != nil {
				f.evidence = sent.String() + "\nand then\n" + f.evidence
				return f
			}
			parted = parted || differs
		}
	}
	if parted {
		p.names.begin(r)
	}
	if parted || r.maybeStranger() {
		odd, err := p.cancel(func(i instance) bool { return p.names.isStale(i) || isStranger(i) })
		if err != nil {
			return &failure{text: err.Error()}
		}
		p.names.odd = append(p.names.odd, odd...)
	}
	return found
}

// ask sends the request to both at once, for each takes its time.
func (g *rig) ask(r request) (theirs, mine answer, err error) {
	answered := make(chan error)
	go func() {
		var err error
		theirs, err = g.spring.send(r)
		answered <- err
	}()
	mine, err = g.ours.send(r)
	err = errors.Join(<-answered, err)
	return theirs, mine, err
}

// compare sends the request to both. parted reports that their state differs from
// here on, as is meant.
func (p *play) compare(name string, r request) (f *failure, parted bool) {
	theirs, mine, err := p.ask(r)
	if err != nil {
		return &failure{text: err.Error(), evidence: r.String()}, false
	}
	differences := flat.Compare(flatten(r, theirs, p.names), flatten(r, mine, p.names))
	if len(differences) == 0 && theirs.status != mine.status {
		differences = []flat.Difference{{Path: "status", Want: fmt.Sprint(theirs.status), Got: fmt.Sprint(mine.status)}}
	}
	var unwanted []string
	for _, d := range differences {
		text := fmt.Sprintf("%d→%d %v", theirs.status, mine.status, d)
		wanted, parts := p.allowed.check(name, text)
		parted = parted || parts
		if !wanted {
			unwanted = append(unwanted, text)
		}
	}
	if unwanted == nil {
		return nil, parted
	}
	return &failure{
		text:     name + ": " + strings.Join(unwanted, "\n    "),
		evidence: fmt.Sprintf("%v\nSpring: %s\nours: %s", r, describe(theirs), describe(mine)),
	}, parted
}

func describe(a answer) string { return fmt.Sprintf("%d %v\n    %.3000q", a.status, a.headers, a.body) }
