package clients

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// peersSection is the last section of docs/compatibility.md.
const peersSection = "\n## Servers that have us as their peer\n"

// peersOf is that section of a document, empty when it has none.
func peersOf(document string) string {
	_, section, found := strings.Cut(document, peersSection)
	if !found {
		return ""
	}
	return peersSection + section
}

// expectPeersDocumented holds the section to the servers and steps, all of which
// went well, or writes it.
func expectPeersDocumented(t *testing.T, path string) {
	t.Helper()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rest, _, _ := strings.Cut(string(before), peersSection)
	want := rest + peersDocument()
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

func peersDocument() string {
	var b strings.Builder
	b.WriteString(peersSection + "\nIts log holds no error and no warning but those that a case is about.\n")
	b.WriteString("\n| server | version | goes through |\n|---|---|---|\n")
	var names []string
	for _, step := range peerSteps {
		names = append(names, step.name)
	}
	for _, peer := range peers {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", peer.title, peer.version, strings.Join(names, ", "))
	}
	b.WriteString("\n| case | what happens |\n|---|---|\n")
	for _, step := range peerSteps {
		fmt.Fprintf(&b, "| %s | %s |\n", step.name, step.title)
	}
	return b.String()
}

// A run of clients leaves what the document says of peers.
func TestResults_DocumentKeepsPeers(t *testing.T) {
	got := newResults(nil).document("x\n" + peersDocument())
	if !strings.HasSuffix(got, peersDocument()) {
		t.Errorf("the document ends in %.200q, want the section about peers", got[max(0, len(got)-200):])
	}
	if again := newResults(nil).document(got); again != got {
		t.Errorf("written again it changes:\n%s", again)
	}
}
