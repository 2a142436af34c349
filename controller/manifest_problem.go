package controller

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// problem is something about a manifest that its author should know. Document
// is 0 for the whole file. The time of the edit makes the same mistake after
// another edit another problem, so that it is told again.
type problem struct {
	file     string
	edited   time.Time
	document int
	effect   effect
	cause    string
}

// effect is what a problem led to.
type effect string

const (
	effectLastGood effect = "last good content of the file stays"
	effectUnserved effect = "nothing of this file is served"
	effectSkipped  effect = "document skipped"
	effectTaken    effect = "taken all the same"
	effectUntold   effect = "not told one by one"
)

// maxProblems is how many problems of one file are told: a file of another
// program's may have a million.
const maxProblems = 20

// problems are the first ones of a file and how many more there are.
type problems struct {
	first []problem
	more  int
}

// add notes one more problem, each only once.
func (p *problems) add(another problem) {
	switch {
	case slices.Contains(p.first, another):
	case len(p.first) < maxProblems:
		p.first = append(slices.Clip(p.first), another) // views share the file's
	default:
		p.more++
	}
}

// told are the problems with one at the end for all that are too many.
func (f *manifestFile) told(p problems) []problem {
	if p.more == 0 {
		return p.first
	}
	return append(slices.Clip(p.first), f.problem(0, effectUntold, fmt.Sprintf("and %d more", p.more)))
}

// problem is one line, also when the error of a decoder has several.
func (f *manifestFile) problem(document int, e effect, cause string) problem {
	return problem{file: f.name, edited: f.taken.ModTime(), document: document, effect: e, cause: strings.Join(strings.Fields(cause), " ")}
}

// note adds a problem that leaves the file in use.
func (f *manifestFile) note(document int, e effect, cause string) {
	f.problems.add(f.problem(document, e, cause))
}
