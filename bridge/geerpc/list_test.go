package geerpc

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

// TestListFollowsChanges changes instances of a few applications at random: in and
// out of the list, in and out of the registry. What was kept of earlier versions
// never shows.
func TestListFollowsChanges(t *testing.T) {
	r, random := start(t), rand.New(rand.NewPCG(1, 2))
	var kept list
	for range 200 {
		app, id := fmt.Sprint("APP", random.IntN(3)), fmt.Sprint("i", random.IntN(4))
		var claims []registry.Claim
		if said := []string{"gone", "", "tcp", "http", "tcp@shared:1"}[random.IntN(5)]; said != "gone" {
			claims = append(claims, registry.Listed(&eureka.Instance{
				App: app, ID: id, HostName: id, Status: eureka.StatusUp, Port: eureka.Port{Number: 80, Enabled: true},
				Metadata: map[string]string{metadataServer: said},
			}))
		}
		r.config.Registry.Replace(registry.OwnerPod, app+"/"+id, claims...)
		r.shown(t.Context())
		s := r.config.Snapshot()
		if got, want := kept.of(s), new(list).of(s); got != want {
			t.Fatalf("list = %q after a change, want %q", got, want)
		}
	}
}

// TestListKeepsWhatDidNotChange holds what a list costs while pods come and go that
// have nothing to do with GeeRPC.
func TestListKeepsWhatDidNotChange(t *testing.T) {
	r := start(t)
	r.config.Registry.Replace(registry.OwnerPod, "a", registry.Listed(&eureka.Instance{App: "A", ID: "a", Status: eureka.StatusUp}))
	r.post(t.Context(), address(1))
	r.settle(t.Context(), 2)
	r.get(t.Context())
	before := r.list.byApp
	r.config.Registry.Replace(registry.OwnerPod, "b", registry.Listed(&eureka.Instance{App: "B", ID: "b", Status: eureka.StatusUp}))
	r.settle(t.Context(), 3)
	r.get(t.Context())
	for app := range before {
		if _, same := r.list.byApp[app]; !same {
			t.Errorf("%s was looked through again, though only B changed", app.Name)
		}
	}
	if len(r.list.byApp) != 3 {
		t.Errorf("%d applications are kept, want those of the latest version, 3", len(r.list.byApp))
	}
}
