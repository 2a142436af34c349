package registry

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCauses(t *testing.T) {
	lists := func(owner Owner, id string) func(*Registry) {
		return func(r *Registry) { r.Replace(owner, "a", Listed(up("CART", id, 5))) }
	}
	tests := []struct {
		name string
		do   []func(*Registry)
		want []string // id, action and cause of each recent change
	}{
		{"a pod is ready", []func(*Registry){lists(OwnerPod, "1")}, []string{"1 ADDED ready"}},
		{"a pod is described otherwise", []func(*Registry){lists(OwnerPod, "1"), func(r *Registry) {
			other := up("CART", "1", 5)
			other.Metadata = map[string]string{"version": "2"}
			r.Replace(OwnerPod, "a", Listed(other))
		}}, []string{"1 MODIFIED changed"}},
		{"a pod has another address", []func(*Registry){lists(OwnerPod, "1"), lists(OwnerPod, "2")}, []string{"2 ADDED ready", "1 DELETED changed"}},
		{"a pod is deleted", []func(*Registry){lists(OwnerPod, "1"), func(r *Registry) { r.Replace(OwnerPod, "a") }}, []string{"1 DELETED deleted"}},
		{"an instance registers", []func(*Registry){lists(OwnerLease, "1")}, []string{"1 ADDED registered"}},
		{"an instance deregisters", []func(*Registry){lists(OwnerLease, "1"), func(r *Registry) { r.Replace(OwnerLease, "a") }}, []string{"1 DELETED cancelled"}},
		{"a lease is over", []func(*Registry){lists(OwnerLease, "1"), func(r *Registry) { r.End(OwnerLease, "a", CauseExpired) }}, []string{"1 DELETED expired"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := New(newClock().now)
			for _, do := range tt.do {
				do(r)
			}
			var got []string
			for _, app := range r.Drain().Apps {
				for i, inst := range app.Recent {
					got = append(got, fmt.Sprintf("%s %s %s", inst.ID, inst.ActionType, app.Causes[i]))
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("recent changes (-want +got):\n%s", diff)
			}
		})
	}
}
