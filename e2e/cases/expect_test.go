package cases

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/e2e/suite"
)

// soon is how long a change may take to be seen when nothing is broken. It is
// generous: a busy machine must not fail a test, and speed is for benchmarks.
const soon = time.Minute

// expectListed waits until exactly the pods named are listed of namespace, and
// returns their instances in that order.
func (p *program) expectListed(t *testing.T, within time.Duration, namespace string, names ...string) []instance {
	t.Helper()
	var found []instance
	suite.Eventually(t, within, func() error {
		answer, err := p.list(t.Context(), "apps")
		if err != nil {
			return err
		}
		found = answer.in(namespace)
		return sameNames(answer.pods(namespace), names)
	})
	return found
}

// expectDelta waits until the delta shows pods of namespace with the actions
// given, each as "POD ACTION", in any order. Other pods are not looked at.
func (p *program) expectDelta(t *testing.T, namespace string, want ...string) {
	t.Helper()
	suite.Eventually(t, soon, func() error {
		answer, err := p.list(t.Context(), "apps/delta")
		if err != nil {
			return err
		}
		got := []string{}
		for _, instance := range answer.in(namespace) {
			pod := instance.Metadata["pod"]
			asked := slices.ContainsFunc(want, func(w string) bool { return strings.HasPrefix(w, pod+" ") })
			if asked {
				got = append(got, pod+" "+instance.ActionType)
			}
		}
		return sameNames(got, want)
	})
}

func sameNames(got, want []string) error {
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if diff := cmp.Diff(want, got); diff != "" {
		return fmt.Errorf("listed pods differ (-want +got):\n%s", diff)
	}
	return nil
}
