package clients

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write docs/compatibility.md")

// result is how a client went through a case.
type result string

const (
	passed result = "yes"
	failed result = "failed"
)

// results are those of one run, by client and case. Its methods may be called
// concurrently.
type results struct {
	clients []client

	mu sync.Mutex // guards of
	of map[string]map[string]result
}

func newResults(clients []client) *results {
	r := &results{clients: clients, of: map[string]map[string]result{}}
	for _, c := range clients {
		r.of[c.name] = map[string]result{}
	}
	return r
}

// record notes how t, which has ended, went.
func (r *results) record(t *testing.T, c client, s step) {
	result := passed
	if t.Failed() {
		result = failed
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.of[c.name][s.name] = result
}

// skipped notes that the client cannot go through the case.
func (r *results) skipped(c client, s step) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.of[c.name][s.name] = result("no: " + c.cannot[s.name])
}

// expectDocumented prints the results and holds the document to them, or writes it,
// if all is there: a run of some cases says nothing of the others.
func (r *results) expectDocumented(t *testing.T, path string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	complete := true
	for _, c := range r.clients {
		for _, step := range allSteps() {
			result, ran := r.of[c.name][step.name]
			if !ran {
				complete = false
				continue
			}
			fmt.Printf("%-26s %-16s %s\n", c.name, step.name, result)
		}
	}
	if !complete || t.Failed() {
		return
	}
	want := r.document()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Error(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is not what this run says; make update-compatibility writes it (-want +got):\n%s", path, diff)
	}
}

func allSteps() []step {
	var steps []step
	for _, life := range lives {
		steps = append(steps, life.steps...)
	}
	return steps
}

const preface = `# Compatibility

What real clients were seen to do with Eurekube, each in a program of its own around the unmodified library. ` + "`make clients`" + ` goes through all of it and
fails when this page, which it writes, says anything else. The programs and the cases are in [e2e/clients](../e2e/clients).

A log entry about decoding, hash codes or registering again fails a case, unless the case is about just that.
`

func (r *results) document() string {
	var b strings.Builder
	b.WriteString(preface)
	b.WriteString("\n## Clients\n\n| client | version |\n|---|---|\n")
	for _, c := range r.clients {
		fmt.Fprintf(&b, "| %s | %s |\n", c.title, c.version)
	}
	b.WriteString("\n## Cases\n\n| case | what happens |\n|---|---|\n")
	steps := allSteps()
	for _, step := range steps {
		fmt.Fprintf(&b, "| %s | %s |\n", step.name, step.title)
	}
	b.WriteString("\n## Results\n\n| client | passes | cannot |\n|---|---|---|\n")
	for _, c := range r.clients {
		var passes, not []string
		for _, step := range steps {
			if r.of[c.name][step.name] == passed {
				passes = append(passes, step.name)
			} else {
				not = append(not, step.name)
			}
		}
		what := "all of them"
		if len(not) > 0 {
			what = strings.Join(passes, ", ")
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.title, what, strings.Join(not, ", "))
	}
	b.WriteString("\n## What clients cannot do\n\n| client | case | why |\n|---|---|---|\n")
	for _, c := range r.clients {
		for _, step := range steps {
			if reason := c.cannot[step.name]; reason != "" {
				fmt.Fprintf(&b, "| %s | %s | %s |\n", c.title, step.name, reason)
			}
		}
	}
	return b.String()
}
