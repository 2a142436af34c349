package app

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// deltaClient keeps a list by deltas in the way of the Java clients: a delta
// application that it does not know is imported whole, the deleted instances in
// it too, and then its entries are taken one after the other (field case 45).
type deltaClient map[string]map[string]instance

func newDeltaClient(list applications) deltaClient {
	c := deltaClient{}
	for _, app := range list.Applications {
		c.imports(app)
	}
	return c
}

func (c deltaClient) imports(app application) {
	c[app.Name] = map[string]instance{}
	for _, i := range app.Instances {
		c[app.Name][i.ID] = i
	}
}

func (c deltaClient) apply(delta applications) {
	for _, app := range delta.Applications {
		for _, i := range app.Instances {
			switch known := c[app.Name]; {
			case i.ActionType == "DELETED":
				delete(known, i.ID)
			case known == nil:
				c.imports(app)
			default:
				known[i.ID] = i
			}
		}
		if len(c[app.Name]) == 0 {
			delete(c, app.Name)
		}
	}
}

// list is what the client knows, as the server would say it.
func (c deltaClient) list() applications {
	var list applications
	for _, name := range slices.Sorted(maps.Keys(c)) {
		instances := slices.SortedFunc(maps.Values(c[name]), func(a, b instance) int { return slices.Compare([]string{a.ID}, []string{b.ID}) })
		list.Applications = append(list.Applications, application{Name: name, Instances: instances})
	}
	list.HashCode = list.count()
	return list
}

// TestDeltasRebuildTheListFromPodEvents lets pods live at random and a client
// poll at random times within the window. Whenever it polls, what it knows has
// to be the full list to the last field, and the hash the one it counts.
func TestDeltasRebuildTheListFromPodEvents(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			inBubble(t, func(r *rig) {
				random := rand.New(rand.NewPCG(seed, 0))
				r.serve("--unready=down")
				client := newDeltaClient(r.apps("/eureka/apps"))
				life := podLife{rig: r, random: random, pods: map[string]*corev1.Pod{}}
				for range 40 {
					for range 1 + random.IntN(4) {
						life.step()
					}
					r.pass(time.Duration(random.IntN(170)) * time.Second)
					delta, list := r.apps("/eureka/apps/delta"), r.apps("/eureka/apps")
					client.apply(delta)
					slices.SortFunc(list.Applications, func(a, b application) int { return slices.Compare([]string{a.Name}, []string{b.Name}) })
					known := client.list()
					r.equal("hash that the client counts", known.HashCode, delta.HashCode)
					r.equal("applications that the client knows", known.Applications, list.Applications)
					if t.Failed() {
						return
					}
				}
			})
		})
	}
}

// podLife changes a handful of pods at random.
type podLife struct {
	*rig
	random *rand.Rand
	pods   map[string]*corev1.Pod
	births int
}

// step is one event of one pod. Names and addresses are few, so that they are
// used again.
func (l *podLife) step() {
	name := fmt.Sprint("p", l.random.IntN(8))
	p := l.pods[name]
	if p == nil {
		l.births++
		p = pod(name, fmt.Sprint("10.0.0.", l.random.IntN(6)), l.service(), func(p *corev1.Pod) {
			p.UID = types.UID(fmt.Sprint("uid-", l.births))
		})
		l.pods[name] = p
		l.create(p)
		return
	}
	switch l.random.IntN(8) {
	case 0, 1:
		l.remove(p)
		delete(l.pods, name)
	case 2:
		l.change(p, terminating)
	case 3:
		l.change(p, ready(corev1.ConditionFalse))
	case 4:
		l.change(p, ready(corev1.ConditionTrue))
	case 5:
		l.change(p, label("eurekube.io/version", fmt.Sprint(l.random.IntN(100))))
	case 6:
		l.change(p, label("eurekube.io/service", l.service()))
	case 7:
		l.change(p, addresses(fmt.Sprint("10.0.0.", l.random.IntN(6))))
	}
}

func (l *podLife) service() string { return []string{"orders", "cart", "mail"}[l.random.IntN(3)] }
