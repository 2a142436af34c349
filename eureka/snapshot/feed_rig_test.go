package snapshot

import (
	"fmt"
	"testing"
	"time"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

// say makes an instance all that is said of the n-th pod, none for a nil one.
func (st *store) say(n int, inst *eureka.Instance) {
	var claims []registry.Claim
	if inst != nil {
		claims = append(claims, registry.Listed(inst))
	}
	st.registry.Replace(registry.OwnerPod, fmt.Sprint(n), claims...)
}

// as is the n-th pod of two applications with another status.
func as(n int, status eureka.Status) *eureka.Instance {
	inst := pod(n, 2)
	inst.Status = status
	return inst
}

// told says what changes there were since a token: sequence, kind, id, action.
func (st *store) told(t *testing.T, since Token) []string {
	t.Helper()
	changes, ok := st.Since(since)
	if !ok {
		t.Fatalf("Since(%v) knows nothing, want the changes", since)
	}
	var lines []string
	for _, c := range changes {
		lines = append(lines, fmt.Sprintln(c.Sequence, c.Kind, c.Instance.IPAddr, c.Instance.ActionType))
	}
	return lines
}

// storeOf is a store that lists the instance; without one it is empty.
func storeOf(inst *eureka.Instance) *store {
	if inst == nil {
		return newStore(0, 2)
	}
	st := &store{registry.New(time.Now), newSnapshot(1)}
	st.say(0, inst)
	st.publish()
	return st
}
