package clients

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// entry is one entry of a log whose lines begin with the level, as
// application.properties sets it, together with the lines that follow it.
type entry struct {
	level, text string
	trace       bool // more lines follow: an exception
}

var entryStart = regexp.MustCompile(`^(TRACE|DEBUG|INFO|WARN|ERROR|FATAL) `)

func parseLog(content string) []entry {
	var entries []entry
	for line := range strings.Lines(content) {
		line = strings.TrimSuffix(line, "\n")
		switch level := entryStart.FindString(line); {
		case level != "":
			entries = append(entries, entry{level: strings.TrimSpace(level), text: line})
		case line == "":
		case len(entries) == 0: // of the JVM, before the application has a log
			entries = append(entries, entry{text: line, trace: true})
		default:
			last := &entries[len(entries)-1]
			last.text += "\n" + line
			last.trace = true
		}
	}
	return entries
}

// fullRead is what the client says before it reads the whole registry.
const fullRead = "Getting all instance registry info from the eureka server"

// suspicious are the messages that matter below WARN: the client lost its place in
// the registry or found that its copy of it is wrong.
var suspicious = regexp.MustCompile(`(?i)re-registering|hashcodes do not match|decod|deserializ|` + fullRead)

// complaints returns the entries that say that something went wrong and that are
// not expected. The first read of the whole registry is no complaint.
func complaints(content string, expected []expectation) []string {
	var found []string
	first := true
	for _, entry := range parseLog(content) {
		if first && strings.Contains(entry.text, fullRead) {
			first = false
			continue
		}
		quiet := entry.level != "WARN" && entry.level != "ERROR" && entry.level != "FATAL"
		if quiet && !entry.trace && !suspicious.MatchString(entry.text) || isExpected(entry, expected) {
			continue
		}
		found = append(found, entry.text)
	}
	return found
}

// expectation is something in a log that is as it should be.
type expectation struct {
	pattern *regexp.Regexp
	because string // why a server without fault leads to it
	must    bool   // a log without it is wrong
}

func isExpected(e entry, expected []expectation) bool {
	for _, expectation := range expected {
		if expectation.pattern.MatchString(e.text) {
			return true
		}
	}
	return false
}

// expectNoComplaints reads the log at path. What was expected and did not come is
// an error too: the case then did not see what it is about.
func expectNoComplaints(t *testing.T, path string, expected []expectation) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return
	}
	if found := complaints(string(content), expected); len(found) > 0 {
		t.Errorf("%d entries of the client's log are not as they should be:\n%s", len(found), strings.Join(found, "\n"))
	}
	for _, expectation := range expected {
		if expectation.must && !expectation.pattern.Match(content) {
			t.Errorf("the client's log has nothing like %q, which was expected because %s", expectation.pattern, expectation.because)
		}
	}
}

func TestComplaints(t *testing.T) {
	const well = "INFO 10:00:00.000 DiscoveryClient: " + fullRead + "\nINFO 10:00:01.000 DiscoveryClient: The response status is 200\n"
	expected := []expectation{{pattern: regexp.MustCompile(`Re-registering`)}}
	for _, test := range []struct {
		name, log string
		want      int
	}{
		{name: "nothing", log: "", want: 0},
		{name: "all is well", log: well, want: 0},
		{name: "the whole registry is read again", log: well + well, want: 1},
		{name: "warning", log: "WARN 10:00:02.000 X: retrying", want: 1},
		{name: "error with an exception is one", log: "ERROR 10:00:02.000 X: failed\njava.io.IOException: closed\n\tat x.Y.z(Y.java:1)\n", want: 1},
		{name: "exception below an information", log: "INFO 10:00:02.000 X: stopped\njava.io.IOException: closed\n", want: 1},
		{name: "line of the JVM", log: "OpenJDK 64-Bit Server VM warning: x\n" + well, want: 1},
		{name: "hash", log: "INFO 10:00:02.000 X: The Reconcile hashcodes do not match\n", want: 1},
		{name: "expected", log: "INFO 10:00:02.000 DiscoveryClient: X - Re-registering apps/X\n", want: 0},
		{name: "expected beside another", log: "INFO 10:00:02.000 DiscoveryClient: X - Re-registering apps/X\nWARN 10:00:03.000 X: retrying\n", want: 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			if found := complaints(test.log, expected); len(found) != test.want {
				t.Errorf("complaints() = %q, want %d", found, test.want)
			}
		})
	}
}
