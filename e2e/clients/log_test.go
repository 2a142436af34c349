package clients

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

// entry is one entry of a log whose lines begin with the level, together with the
// lines that follow it.
type entry struct {
	level, text string
	trace       bool // more lines follow: an exception
}

var entryStart = regexp.MustCompile(`^(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL) `)

func parseLog(content string) []entry {
	var entries []entry
	for line := range strings.Lines(content) {
		line = strings.TrimSuffix(line, "\n")
		switch level := entryStart.FindString(line); {
		case level != "":
			entries = append(entries, entry{level: strings.TrimSpace(level), text: line})
		case line == "":
		case len(entries) == 0: // of a runtime, before the application has a log
			entries = append(entries, entry{text: line, trace: true})
		default:
			last := &entries[len(entries)-1]
			last.text += "\n" + line
			last.trace = true
		}
	}
	return entries
}

// fullRead is what Netflix's client says before it reads the whole registry.
const fullRead = "Getting all instance registry info from the eureka server"

// suspicious are the messages that matter below WARN: the client lost its place in
// the registry or found that its copy of it is wrong.
var suspicious = regexp.MustCompile(`(?i)re-registering|hashcodes do not match|decod|deserializ|` + fullRead)

func (e entry) complains() bool {
	quiet := e.level == "TRACE" || e.level == "DEBUG" || e.level == "INFO"
	return !quiet || e.trace || suspicious.MatchString(e.text)
}

// expectation is something in a log that is as it should be.
type expectation struct {
	pattern *regexp.Regexp
	because string // why a server without fault leads to it
	must    bool   // a log without it is wrong
}

// expects says that a log must hold entries that pattern matches.
func expects(pattern, because string) expectation {
	return expectation{regexp.MustCompile(pattern), because, true}
}

// allows is expects without the must: whether there is one is a matter of timing.
func allows(pattern, because string) expectation {
	return expectation{regexp.MustCompile(pattern), because, false}
}

func isExpected(e entry, expected []expectation) bool {
	for _, expectation := range expected {
		if expectation.pattern.MatchString(e.text) {
			return true
		}
	}
	return false
}

// logReader reads a log in parts, as one case after the other ends.
type logReader struct {
	path    string
	offset  int64
	hasRead bool // the whole registry, for the first time

	// The last entry of the part before, of which more lines may come, and what was
	// expected then.
	last     string
	expected []expectation
}

// expectNoComplaints reads what is new. What was expected and did not come is an
// error too: the case then did not see what it is about.
func (l *logReader) expectNoComplaints(t *testing.T, expected []expectation) {
	t.Helper()
	content, err := l.next()
	if err != nil {
		t.Error(err)
		return
	}
	if found := l.complaints(content, expected); len(found) > 0 {
		t.Errorf("%d entries of the client's log are not as they should be:\n%s", len(found), strings.Join(found, "\n"))
	}
	for _, expectation := range expected {
		if expectation.must && !expectation.pattern.MatchString(content) {
			t.Errorf("the client's log has nothing like %q, which was expected because %s", expectation.pattern, expectation.because)
		}
	}
}

// next returns the whole lines that were not read yet.
func (l *logReader) next() (string, error) {
	file, err := os.Open(l.path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	content, err := io.ReadAll(io.NewSectionReader(file, l.offset, 1<<30))
	if err != nil {
		return "", fmt.Errorf("read the client's log: %w", err)
	}
	whole := content[:strings.LastIndexByte(string(content), '\n')+1]
	l.offset += int64(len(whole))
	return string(whole), nil
}

// complaints returns the entries of the next part of the log that say that something
// went wrong and that are not expected. The first read of the whole registry is no
// complaint.
func (l *logReader) complaints(content string, expected []expectation) []string {
	entries := parseLog(l.last + content)
	continued := l.last != "" && !entryStart.MatchString(content) && content != ""
	if l.last != "" && len(entries) > 0 {
		if !continued {
			entries = entries[1:] // was judged
		} else if isExpected(entries[0], l.expected) {
			entries = entries[1:]
		}
	}
	var found []string
	for _, entry := range entries {
		if !l.hasRead && strings.Contains(entry.text, fullRead) {
			l.hasRead = true
			continue
		}
		if entry.complains() && !isExpected(entry, expected) {
			found = append(found, entry.text)
		}
	}
	if len(entries) > 0 {
		l.last, l.expected = entries[len(entries)-1].text+"\n", expected
	}
	return found
}

func TestLogReader_Complaints(t *testing.T) {
	const well = "INFO 10:00:00.000 DiscoveryClient: " + fullRead + "\nINFO 10:00:01.000 DiscoveryClient: The response status is 200\n"
	registers := []expectation{allows("Re-registering", "")}
	for _, test := range []struct {
		name string
		log  []string // in parts; what is expected is expected in the first
		want int
	}{
		{name: "nothing", log: []string{""}, want: 0},
		{name: "all is well", log: []string{well}, want: 0},
		{name: "the whole registry is read again", log: []string{well + well}, want: 1},
		{name: "the whole registry is read again later", log: []string{well, well}, want: 1},
		{name: "warning", log: []string{"WARN 10:00:02.000 X: retrying"}, want: 1},
		{name: "error with an exception is one", log: []string{"ERROR 10:00:02.000 X: failed\njava.io.IOException: closed\n\tat x.Y.z(Y.java:1)\n"}, want: 1},
		{name: "exception below an information", log: []string{"INFO 10:00:02.000 X: stopped\njava.io.IOException: closed\n"}, want: 1},
		{name: "exception below an information, later", log: []string{"INFO 10:00:02.000 X: stopped\n", "java.io.IOException: closed\n"}, want: 1},
		{name: "a part with nothing new", log: []string{"INFO 10:00:02.000 X: stopped\n", "", "WARN 10:00:03.000 X: retrying\n"}, want: 1},
		{name: "line of the JVM", log: []string{"OpenJDK 64-Bit Server VM warning: x\n" + well}, want: 1},
		{name: "hash", log: []string{"INFO 10:00:02.000 X: The Reconcile hashcodes do not match\n"}, want: 1},
		{name: "expected", log: []string{"INFO 10:00:02.000 DiscoveryClient: X - Re-registering apps/X\n"}, want: 0},
		{name: "expected before", log: []string{"", "INFO 10:00:02.000 DiscoveryClient: X - Re-registering apps/X\n"}, want: 1},
		{name: "expected, with the rest of it later", log: []string{"INFO 10:00:02.000 DiscoveryClient: X - Re-registering apps/X\n", "java.io.IOException: closed\n" + well}, want: 0},
		{name: "expected beside another", log: []string{"INFO 10:00:02.000 DiscoveryClient: X - Re-registering apps/X\nWARN 10:00:03.000 X: retrying\n"}, want: 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			var reader logReader
			var found []string
			expected := registers
			for _, part := range test.log {
				found = append(found, reader.complaints(part, expected)...)
				expected = nil
			}
			if len(found) != test.want {
				t.Errorf("complaints() = %q, want %d", found, test.want)
			}
		})
	}
}

// A log that ends before its client is no fault, and hides none.
func TestSpringLog_EndsBeforeTheClient(t *testing.T) {
	const ended = "INFO 06:17:29.940 DiscoveryClient: Completed shut down of DiscoveryClient\n" +
		"06:17:29,943 |-WARN in Logger[com.netflix.discovery.DiscoveryClient] - No appenders present in context [default] for logger [com.netflix.discovery.DiscoveryClient].\n"
	for text, want := range map[string]int{ended: 0, ended + "java.io.IOException: closed\n": 1} {
		var reader logReader
		if found := reader.complaints(text, springLog["Stop"]); len(found) != want {
			t.Errorf("complaints = %q, want %d", found, want)
		}
	}
}
