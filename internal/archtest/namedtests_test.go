package archtest

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// root is the top of the repository, modules of their own included.
const root = "../.."

// fieldCases are the cases of real trouble that this release has to get right.
// Numbers are stable and have gaps; a test carries its number in its name.
var fieldCases = []int{
	1, 2, 3, 12, 16, 19, 22, 23, // payload
	25, 30, 31, 32, 33, 36, 42, // HTTP
	43, 44, 45, 50, 52, // deltas
	53, 54, 56, 58, 61, 62, 65, 68, // which pods are listed
	69, 71, 72, 73, 75, 76, 78, 80, 82, 84, 85, // addresses and metadata
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

// differences are the rows of the table without its head.
func differences(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", "differences.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "|---")
	var rows []string
	for _, line := range strings.Split(table, "\n")[1:] {
		if strings.HasPrefix(line, "|") {
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
