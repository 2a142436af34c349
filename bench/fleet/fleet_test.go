package fleet_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/eurekube/eurekube/bench/fleet"
	"github.com/eurekube/eurekube/convertor"
)

var rules = convertor.Rules{Prefixes: []string{convertor.PrefixEurekube}}

func TestPod_IsListedUnderAnIDOfItsOwn(t *testing.T) {
	const pods = 1000
	seen := make(map[string]bool)
	names := make(map[string]bool)
	for i := range pods {
		pod := fleet.Pod(i)
		inst, warnings, err := convertor.Convert(pod, rules)
		if err != nil || len(warnings) > 0 {
			t.Fatalf("Convert(Pod(%d)) = %v, %v, want an instance without warnings", i, warnings, err)
		}
		seen[inst.App+"/"+inst.ID] = true
		names[fleet.Key(pod)] = true
	}
	if len(seen) != pods || len(names) != pods {
		t.Errorf("%d pods have %d ids and %d names", pods, len(seen), len(names))
	}
}

// A benchmark of pods smaller than real ones would flatter the memory and the
// time to decode them.
func TestPod_IsAsLongAsRealOnes(t *testing.T) {
	text, err := json.Marshal(fleet.Pod(7))
	if err != nil {
		t.Fatal(err)
	}
	if len(text) < 5<<10 || len(text) > 12<<10 {
		t.Errorf("Pod(7) is %d bytes of JSON, want 5 to 12 KiB", len(text))
	}
}

func TestWithReady_DecidesWhetherThePodIsListed(t *testing.T) {
	pod := fleet.Pod(0)
	unready := fleet.WithReady(pod, false, time.Now())
	if _, _, err := convertor.Convert(unready, rules); err != convertor.ReasonNotReady {
		t.Errorf("Convert of the unready pod = %v, want %v", err, convertor.ReasonNotReady)
	}
	if _, _, err := convertor.Convert(fleet.WithReady(unready, true, time.Now()), rules); err != nil {
		t.Errorf("Convert of the pod that is ready again = %v, want none", err)
	}
	if _, _, err := convertor.Convert(pod, rules); err != nil {
		t.Errorf("the pod itself changed: %v", err)
	}
}
