package archtest

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// root is the top of the repository, modules of their own included.
const root = "../.."

// fieldCases are the cases of real trouble that this release has to get right.
// Numbers are stable and have gaps; a test carries its number in its name.
var fieldCases = []int{
	1, 2, 3, 7, 8, 9, 10, 12, 14, 16, 19, 22, 23, // payload
	25, 27, 28, 30, 31, 32, 33, 36, 37, 39, 40, 42, // HTTP and leases
	43, 44, 45, 50, 51, 52, // deltas
	53, 54, 56, 58, 61, 62, 65, 68, // which pods are listed
	69, 71, 72, 73, 75, 76, 78, 80, 82, 84, 85, // addresses and metadata
	86, 87, 89, 90, 91, 93, 94, 95, // pods that register themselves, statuses and overrides
	101, 103, 104, 105, 107, // operations
}

var (
	testFunc      = regexp.MustCompile(`^func ((?:Test|Fuzz|Benchmark)[A-Za-z0-9_]+)\(`)
	fieldCaseName = regexp.MustCompile(`^(?:Test|Fuzz|Benchmark)FieldCases?((?:[0-9]+_)+)[A-Z]`)
	quotedName    = regexp.MustCompile("`([^`]+)`")
)

func TestEveryFieldCaseHasATest(t *testing.T) {
	covered := map[int]bool{}
	for name := range testNames(t) {
		match := fieldCaseName.FindStringSubmatch(name)
		if match == nil {
			continue
		}
		for number := range strings.SplitSeq(strings.TrimSuffix(match[1], "_"), "_") {
			n, err := strconv.Atoi(number)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			covered[n] = true
		}
	}
	for _, n := range fieldCases {
		if !covered[n] {
			t.Errorf("field case %d has no test: name one TestFieldCase%d_WhatIsRight", n, n)
		}
	}
}

func TestEveryDifferenceHasItsTest(t *testing.T) {
	names := testNames(t)
	rows := 0
	for _, row := range differences(t) {
		rows++
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		quoted := quotedName.FindAllStringSubmatch(cells[len(cells)-1], -1)
		if len(quoted) == 0 {
			t.Errorf("docs/differences.md: %q names no test", cells[0])
		}
		for _, match := range quoted {
			if !names[match[1]] {
				t.Errorf("docs/differences.md: %q names %s, which is no test of this repository", cells[0], match[1])
			}
		}
	}
	if rows == 0 {
		t.Error("docs/differences.md has no table")
	}
}

// TestEveryDifferenceIsToldOnce looks at the form of the tables: rows that say
// something of one subject in two places come to contradict each other.
func TestEveryDifferenceIsToldOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range differences(t) {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		if len(cells) != 5 || slices.Contains(cells, "") {
			t.Errorf("docs/differences.md: %q has %d cells, want 5 that say something", row, len(cells))
		}
		if seen[cells[0]] {
			t.Errorf("docs/differences.md: two rows are about %q", cells[0])
		}
		seen[cells[0]] = true
	}
}

// TestDecisionsNameTestsThatExist is for the numbered notes what
// TestEveryDifferenceHasItsTest is for the table.
func TestDecisionsNameTestsThatExist(t *testing.T) {
	notes, err := filepath.Glob(filepath.Join(root, "docs", "decisions", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	names, named := testNames(t), 0
	for _, note := range notes {
		text, err := os.ReadFile(note)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range quotedName.FindAllStringSubmatch(string(text), -1) {
			if !strings.HasPrefix(match[1], "Test") {
				continue
			}
			named++
			if !names[match[1]] {
				t.Errorf("%s names %s, which is no test of this repository", filepath.Base(note), match[1])
			}
		}
	}
	if named == 0 {
		t.Error("no decision names a test")
	}
}

// differences are the rows of all tables without their heads.
func differences(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", "differences.md"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.SplitSeq(string(text), "\n") {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| subject |") {
			rows = append(rows, line)
		}
	}
	return rows
}

// testNames are the test functions of all modules of the repository.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir // .git and caches
		case entry.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		return addTestNames(names, path)
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func addTestNames(names map[string]bool, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // it was only read
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20) // test data may stand in one line
	for lines.Scan() {
		if match := testFunc.FindStringSubmatch(lines.Text()); match != nil {
			names[match[1]] = true
		}
	}
	return lines.Err()
}
