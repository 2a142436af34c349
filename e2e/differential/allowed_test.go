package differential

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/eurekube/eurekube/e2e/springserver"
)

// allowance is a difference that we mean, told in a row of docs/differences.md.
type allowance struct {
	subject  string // of the row
	requests string // pattern in the names of the requests that show it
	// differences is the pattern of a whole difference, which reads
	//
	//	404→200 /path/of/the/value: theirs → ours
	//
	// with both status codes.
	differences string
	// parts says that the two know something else from here on. The instances that
	// the request names are then cancelled and begin anew.
	parts bool
	// release is the only one that shows it, empty for both.
	release springserver.Release
}

// allowances are those of a run, and how often each was met.
type allowances struct {
	rows                  []allowance
	requests, differences []*regexp.Regexp
	used                  []int
}

// newAllowances wants each subject to be that of a row of the document at path.
func newAllowances(rows []allowance, path string) (*allowances, error) {
	document, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	a := &allowances{rows: rows, used: make([]int, len(rows))}
	for _, row := range rows {
		if !strings.Contains(string(document), "\n| "+row.subject+" |") {
			return nil, fmt.Errorf("%s has no row %q", path, row.subject)
		}
		requests, err := regexp.Compile(row.requests)
		if err != nil {
			return nil, err
		}
		differences, err := regexp.Compile("^(?s:" + row.differences + ")$")
		if err != nil {
			return nil, err
		}
		a.requests = append(a.requests, requests)
		a.differences = append(a.differences, differences)
	}
	return a, nil
}

// check reports whether a difference is meant, and whether it parts the two.
func (a *allowances) check(request, difference string) (wanted, parts bool) {
	for i, row := range a.rows {
		if a.requests[i].MatchString(request) && a.differences[i].MatchString(difference) {
			a.used[i]++
			wanted = true
			parts = parts || row.parts
		}
	}
	return wanted, parts
}

// unused are the allowances that were never met: what they allow is no difference
// any more, or no sequence shows it.
func (a *allowances) unused(release springserver.Release) []string {
	var unused []string
	for i, row := range a.rows {
		if a.used[i] == 0 && (row.release == "" || row.release == release) {
			unused = append(unused, fmt.Sprintf("%s: %s of %q", row.subject, row.differences, row.requests))
		}
	}
	return unused
}
