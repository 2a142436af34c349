package callback

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/klog/v2/ktesting"

	"github.com/eurekube/eurekube/internal/journal"
)

// lines are what the log of the program, which runs at verbosity 0, says of services
// so far.
func (r *rig) lines() (lines []string) {
	for _, entry := range r.logger.GetSink().(ktesting.Underlier).GetBuffer().Data() {
		if entry.Verbosity > 0 || !strings.HasPrefix(entry.Message, "Callback service") {
			continue
		}
		line := entry.Message
		for i := 1; i < len(entry.ParameterKVList); i += 2 {
			if entry.ParameterKVList[i-1] != "reason" { // of what the network says
				line += fmt.Sprintf(" %v", entry.ParameterKVList[i])
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// leftOut are the numbers of lines about services that the log says it lacks.
func (r *rig) leftOut() (all []any) {
	for _, entry := range r.logger.GetSink().(ktesting.Underlier).GetBuffer().Data() {
		if kv := entry.ParameterKVList; strings.HasPrefix(entry.Message, "Left lines out") && slices.Contains(kv, any("callback services")) {
			all = append(all, kv[slices.Index(kv, any("leftOut"))+1])
		}
	}
	return all
}

func (r *rig) expectLines(want ...string) {
	r.Helper()
	if diff := cmp.Diff(want, r.lines()); diff != "" {
		r.Errorf("log (-want +got):\n%s", diff)
	}
}

func TestJournal_TellsEachTransitionOnce(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		log := r.start(1, "Log")
		log.register()
		log.register()
		time.Sleep(time.Minute)
		log.stop()
		time.Sleep(time.Hour)
		log.listen()
		time.Sleep(time.Hour)
		renamed := strings.Replace(log.registration(), `"Log"`, `"Journal"`, 1)
		r.expect(http.MethodPost, renamed, http.StatusOK)
		r.expect(http.MethodDelete, log.url(), http.StatusOK)
		r.expectLines(
			"Callback service was listed LOG 10.0.0.1:4000",
			"Callback service does not answer and is under watch LOG 10.0.0.1:4000",
			"Callback service answers again and was listed LOG 10.0.0.1:4000",
			"Callback service was listed in place of one with another name JOURNAL 10.0.0.1:4000 LOG",
			"Callback service deregistered JOURNAL 10.0.0.1:4000 10.0.0.9",
		)
	})
}

// A registration is not answered by what the heartbeat URL says, which is called later.
func TestJournal_TellsOfAServiceThatNeverAnswers(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		r.expect(http.MethodPost, valid("", ""), http.StatusOK)
		r.expectListed("LOG", "10.0.0.1:4000")
		time.Sleep(givenUp)
		r.expectListed("LOG")
		r.expect(http.MethodPost, valid("", ""), http.StatusOK)
		time.Sleep(time.Hour)
		r.expectLines(
			"Callback service was listed LOG 10.0.0.1:4000",
			"Callback service does not answer and is under watch LOG 10.0.0.1:4000",
			"Callback service was listed LOG 10.0.0.1:4000",
			"Callback service does not answer and is under watch LOG 10.0.0.1:4000",
		)
	})
}

func TestJournal_IsBounded(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		register := func(from int) {
			for n := range 60 {
				at := fmt.Sprintf(`"http://10.0.1.%d:4000"`, n+from)
				r.expect(http.MethodPost, strings.Replace(valid("ServiceURL", at), `["Orders"]`, "null", 1), http.StatusOK)
			}
		}
		register(0)
		register(60)
		if got := len(r.lines()); got != journal.Lines {
			r.Fatalf("%d lines, want %d", got, journal.Lines)
		}
		time.Sleep(journal.Window + flushInterval)
		if got := r.leftOut(); !slices.Equal(got, []any{140}) {
			r.Errorf("the log says that it left out %v lines, want 140 of the 120 that came and then did not answer, once", got)
		}
		before := len(r.lines())
		register(120)
		if got := len(r.lines()) - before; got != 60 {
			r.Errorf("%d lines in a later minute, want 60", got)
		}
	})
}
