package api

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/registry"
)

// follower is a client that fetched the full list once and has applied deltas
// since, as the Java client does.
type follower struct {
	form codec.Form
	held map[string]*eureka.Instance // by app and id
}

// fetch reads a collection.
func (c *follower) fetch(s *server, path string) *eureka.Applications {
	s.t.Helper()
	a := s.get(path, "Accept: "+c.form.ContentType())
	s.want(a, 200)
	apps, err := codec.DecodeApplications(c.form, a.raw)
	if err != nil {
		s.t.Fatalf("GET %s in %v: %v", path, c.form, err)
	}
	return apps
}

// each calls yield for every instance, in the order of the document.
func each(apps *eureka.Applications, yield func(key string, inst *eureka.Instance)) {
	for _, app := range apps.Applications {
		for _, inst := range app.Instances {
			yield(app.Name+"/"+inst.ID, inst)
		}
	}
}

// full is the list as it is now.
func (c *follower) full(s *server) (map[string]*eureka.Instance, string) {
	s.t.Helper()
	held := make(map[string]*eureka.Instance)
	apps := c.fetch(s, "/eureka/apps")
	each(apps, func(key string, inst *eureka.Instance) { held[key] = inst })
	return held, apps.AppsHashCode
}

// follow applies a delta and wants to hold then what the full list says, and the
// hash that both give.
func (c *follower) follow(s *server) {
	s.t.Helper()
	delta := c.fetch(s, "/eureka/apps/delta")
	each(delta, func(key string, inst *eureka.Instance) {
		if inst.ActionType == eureka.ActionDeleted {
			delete(c.held, key)
		} else {
			c.held[key] = inst
		}
	})
	want, hash := c.full(s)
	if diff := cmp.Diff(want, c.held); diff != "" {
		s.t.Errorf("%v: full list differs from what deltas lead to (-full +deltas):\n%s", c.form, diff)
	}
	var census eureka.Census
	for _, inst := range c.held {
		census.Add(inst.Status, 1)
	}
	if delta.AppsHashCode != hash || census.HashCode() != hash {
		s.t.Errorf("%v: hash of the delta %q, of the full list %q, of what deltas lead to %q", c.form, delta.AppsHashCode, hash, census.HashCode())
	}
}

// writer does random things to a server, as clients, peers, operators and pods
// do.
type writer struct {
	*server
	*rand.Rand
}

func (w *writer) app() string            { return []string{"A", "B"}[w.IntN(2)] }
func (w *writer) id() string             { return fmt.Sprintf("i%d", w.IntN(4)) }
func (w *writer) status() string         { return string(eureka.Statuses[w.IntN(len(eureka.Statuses))]) }
func (w *writer) path(app string) string { return "/eureka/apps/" + app + "/" + w.id() }

// instance is a registration of one of few processes; some are those of pods.
func (w *writer) instance(app string) fields {
	address := fmt.Sprintf("10.0.0.%d", w.IntN(4))
	return registration(app, w.id()).with(fields{
		"hostName": address, "ipAddr": address, "status": w.status(), "lastDirtyTimestamp": w.IntN(5),
		"leaseInfo": fields{"durationInSecs": 1 + w.IntN(60)}, "metadata": fields{"k": w.IntN(3)},
	})
}

// step does one thing. What the server makes of it is of no matter here.
func (w *writer) step() {
	app := w.app()
	switch w.IntN(10) {
	case 0, 1:
		w.send("POST", "/eureka/apps/"+app, w.instance(app).document(w.t), contentJSON)
	case 2:
		w.do("PUT", w.path(app)+fmt.Sprintf("?lastDirtyTimestamp=%d", w.IntN(5)))
	case 3:
		w.do("DELETE", w.path(app))
	case 4:
		w.do("PUT", w.path(app)+"/status?value="+w.status())
	case 5:
		w.do("DELETE", w.path(app)+"/status"+[]string{"", "?value=UP"}[w.IntN(2)])
	case 6:
		w.do("PUT", w.path(app)+fmt.Sprintf("/metadata?m=%d", w.IntN(3)))
	case 7:
		w.send("POST", "/eureka/peerreplication/batch", batch(w.t,
			item("Register", fields{"appName": app, "instanceInfo": w.instance(app)}),
			item("StatusUpdate", fields{"appName": app, "id": w.id(), "status": w.status()}),
			item("Cancel", fields{"appName": app, "id": w.id()})), contentJSON)
	case 8:
		w.pod(app)
	case 9:
		time.Sleep(time.Duration(w.IntN(20)) * time.Second) // leases end meanwhile
	}
}

// pod says something new of one of few pods: listed, not ready, or gone.
func (w *writer) pod(app string) {
	n := w.IntN(4)
	i := inst(app, fmt.Sprintf("10.0.0.%d:%s:8080", n, strings.ToLower(app)))
	i.HostName, i.IPAddr = fmt.Sprintf("10.0.0.%d", n), fmt.Sprintf("10.0.0.%d", n)
	claim := registry.Listed(i, endpoints(i)...)
	claim.Hidden = w.IntN(3) == 0
	key := fmt.Sprintf("ns/%s-%d/uid", app, n)
	if w.IntN(3) == 0 {
		w.registry.Replace(registry.OwnerPod, key)
		return
	}
	w.registry.Replace(registry.OwnerPod, key, claim)
}

// TestDeltasLeadToTheFullList plays random writes, sweeps and changes of pods:
// whoever has an old list and applies every delta in order holds the current
// list and its hash, in both formats.
func TestDeltasLeadToTheFullList(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := run(t, withLeases)
				s.open()
				w := &writer{s, rand.New(rand.NewPCG(seed, 0))}
				followers := []*follower{{form: codec.JSON}, {form: codec.XML}}
				for _, c := range followers {
					c.held, _ = c.full(s)
				}
				for range 40 {
					for range 1 + w.IntN(6) {
						w.step()
					}
					synctest.Wait() // a sweep of this very moment is over, too
					s.settle()
					for _, c := range followers {
						c.follow(s)
					}
				}
			})
		})
	}
}
