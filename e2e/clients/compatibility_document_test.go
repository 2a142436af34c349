package clients

import (
	"strings"
	"testing"
)

// A run of one client leaves what the document says of the other.
func TestResults_DocumentKeepsClientsThatDidNotRun(t *testing.T) {
	ran := client{name: "a", title: "A", version: "2", cannot: map[string]string{"Gzip": "does not ask"}}
	kept := client{name: "b", title: "B", version: "2"}
	results := newResults([]client{ran, kept})
	for _, step := range allSteps() {
		if ran.can(step.name) {
			results.record(t, ran, step)
		} else {
			results.skipped(ran, step)
		}
	}
	results.record(t, kept, allSteps()[0])

	got := results.document("x\n\n## Clients\n\n| A | 1 |\n| B | 1 |\n\n## Results\n\n| B | all | Kill |\n\n## What clients cannot do\n\n| B | Kill | old |\n| A | Kill | old |\n")
	for _, row := range []string{"| A | 2 |", "| B | 1 |", "| B | all | Kill |", "| B | Kill | old |", "| A | Gzip | does not ask |"} {
		if !strings.Contains(got, "\n"+row+"\n") {
			t.Errorf("the document has no row %s", row)
		}
	}
	for _, row := range []string{"| A | 1 |", "| B | 2 |", "| A | Kill | old |"} {
		if strings.Contains(got, row) {
			t.Errorf("the document still has the row %s", row)
		}
	}
	if again := results.document(got); again != got {
		t.Errorf("written again it changes:\n%s", again)
	}
}
