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

// expectDocumented prints the results and holds the document to them, or writes it.
// What the document says of a client that did not go through all cases stays: this
// run knows no better.
func (r *results) expectDocumented(t *testing.T, path string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.clients {
		for _, step := range allSteps() {
			if result, ran := r.of[c.name][step.name]; ran {
				fmt.Printf("%-26s %-16s %s\n", c.name, step.name, result)
			}
		}
	}
	if t.Failed() {
		return
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := r.document(string(before))
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Error(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(before)); diff != "" {
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

An entry in the client's log about decoding, hash codes or registering again fails a case, unless the case is about just that.
`

// The sections of the document with rows of clients.
const (
	versions = "Clients"
	verdicts = "Results"
	reasons  = "What clients cannot do"
	faults   = "Faults of clients"
)

// document is the document after this run, given the one before.
func (r *results) document(before string) string {
	var b strings.Builder
	b.WriteString(preface)
	r.writeSection(&b, before, versions, "client | version")
	b.WriteString("\n## Cases\n\n| case | what happens |\n|---|---|\n")
	for _, step := range allSteps() {
		fmt.Fprintf(&b, "| %s | %s |\n", step.name, step.title)
	}
	r.writeSection(&b, before, verdicts, "client | goes through | does not do, or does not ask for (why: below)")
	r.writeSection(&b, before, reasons, "client | case | why")
	r.writeSection(&b, before, faults, "client | what no server can help")
	b.WriteString(peersOf(before)) // TestSpringServerAsPeer knows of them
	return b.String()
}

// writeSection writes a section with the rows of every client: as they are now when
// it went through all cases, else as they were before.
func (r *results) writeSection(b *strings.Builder, before, section, head string) {
	rule := strings.Repeat("---|", strings.Count(head, "|")+1)
	fmt.Fprintf(b, "\n## %s\n\n| %s |\n|%s\n", section, head, rule)
	_, old, _ := strings.Cut(before, "\n## "+section+"\n")
	old, _, _ = strings.Cut(old, "\n## ")
	for _, c := range r.clients {
		if len(r.of[c.name]) == len(allSteps()) {
			for _, row := range r.rows(c)[section] {
				fmt.Fprintf(b, "| %s | %s |\n", c.title, row)
			}
			continue
		}
		for line := range strings.Lines(old) {
			if strings.HasPrefix(line, "| "+c.title+" |") {
				b.WriteString(line)
			}
		}
	}
}

// rows are what this run says of a client, by section.
func (r *results) rows(c client) map[string][]string {
	rows := map[string][]string{versions: {c.version}, faults: c.faults}
	var through, not []string
	for _, step := range allSteps() {
		if r.of[c.name][step.name] == passed {
			through = append(through, step.name)
			continue
		}
		not = append(not, step.name)
		rows[reasons] = append(rows[reasons], step.name+" | "+c.cannot[step.name])
	}
	rows[verdicts] = []string{strings.Join(through, ", ") + " | " + strings.Join(not, ", ")}
	return rows
}
