package registry

import "testing"

func TestAppOfRegistered(t *testing.T) {
	lease := func(app, id string) func(*Registry) {
		return func(r *Registry) { r.Replace(OwnerLease, LeaseKey(app, id), Listed(up(app, id, 1))) }
	}
	gone := func(app, id string) func(*Registry) {
		return func(r *Registry) { r.Replace(OwnerLease, LeaseKey(app, id)) }
	}
	pod := func(c ...func(*Claim)) func(*Registry) {
		return func(r *Registry) { r.Replace(OwnerPod, podKey, aPod(c...)) }
	}
	itself := func(r *Registry) { r.Replace(OwnerLease, leaseKey, itsLease()) }
	podGone := func(r *Registry) { r.Replace(OwnerPod, podKey) }
	tests := []struct {
		name  string
		steps []func(*Registry)
		id    string
		want  string // app, empty for none
	}{
		{"nobody", nil, "i", ""},
		{"a lease", []func(*Registry){lease("A", "i")}, "i", "A"},
		{"that renewed", []func(*Registry){lease("A", "i"), lease("A", "i")}, "i", "A"},
		{"that renewed and ended", []func(*Registry){lease("A", "i"), lease("A", "i"), gone("A", "i")}, "i", ""},
		{"two apps", []func(*Registry){lease("B", "i"), lease("A", "i")}, "i", "A"},
		{"of which one ended", []func(*Registry){lease("B", "i"), lease("A", "i"), gone("A", "i")}, "i", "B"},
		{"a pod by the id that its application registered with", []func(*Registry){pod(), itself}, leaseID, "ORDERS"},
		{"a pod that is not listed", []func(*Registry){pod(hidden), itself}, leaseID, ""},
		{"a pod that ended", []func(*Registry){pod(), itself, podGone}, leaseID, ""},
		{"a pod's own id", []func(*Registry){pod()}, podID, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := New(newClock().now)
			for _, step := range tt.steps {
				step(r)
			}
			if app, ok := r.AppOfRegistered(tt.id); app != tt.want || ok != (tt.want != "") {
				t.Errorf("AppOfRegistered(%s) = %q, %v; want %q", tt.id, app, ok, tt.want)
			}
		})
	}
}
