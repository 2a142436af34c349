package controller

import (
	"strings"
	"unicode"

	"github.com/eurekube/eurekube/convertor"
)

// podFault is what a person has to mend about a pod, as an Event says it.
type podFault struct {
	reason  string // the convertor's reason as Kubernetes spells such words: NoPort
	message string
}

// faultsOf are the faults of a pod, those of one reason together. A pod that ends
// has none: nobody mends it any more.
func (c *Controller) faultsOf(seen sighting, reason convertor.Reason, warnings []convertor.Warning) []podFault {
	if c.podEvents == nil || seen.source.origin != originAPIServer ||
		reason == convertor.ReasonTerminating || reason == convertor.ReasonFinished {
		return nil
	}
	var faults []podFault
	if fault := convertor.Fault(seen.pod, c.rules.Prefixes, reason); fault != "" {
		faults = append(faults, podFault{camelCase(string(reason)), "Not listed: " + fault})
	}
	for i, w := range warnings {
		switch {
		case w.Reason == convertor.WarningNoAddressOfFamily: // the operator's choice, which the pod's owner cannot mend
		case w.Reason == convertor.WarningBadPortLabel && reason == convertor.ReasonNoPort: // said above
		case i > 0 && warnings[i-1].Reason == w.Reason: // said with the first of its kind
		default:
			faults = append(faults, podFault{camelCase(string(w.Reason)), together(warnings[i:]) + ". " + w.Reason.Hint()})
		}
	}
	return faults
}

// together joins the messages at the start of warnings that have one reason.
func together(warnings []convertor.Warning) string {
	var messages []string
	for _, w := range warnings {
		if w.Reason != warnings[0].Reason {
			break
		}
		messages = append(messages, w.Message)
	}
	return strings.Join(messages, "; ")
}

// camelCase turns no-port into NoPort, and not-a-host-name into NotAHostName.
func camelCase(words string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(words, "-") {
		for i, r := range word {
			if i == 0 {
				r = unicode.ToUpper(r)
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}
