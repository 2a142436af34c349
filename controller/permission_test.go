package controller_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eurekube/eurekube/controller"
	"github.com/eurekube/eurekube/convertor"
)

// failure makes calls to a fake server fail while it says so.
type failure func(action clienttesting.Action) error

// of makes lists and watches of pods fail.
func (f failure) of(fake *clienttesting.Fake, resource string) {
	fake.PrependReactor("list", resource, func(a clienttesting.Action) (bool, runtime.Object, error) {
		err := f(a)
		return err != nil, nil, err
	})
	fake.PrependWatchReactor(resource, func(a clienttesting.Action) (bool, watch.Interface, error) {
		err := f(a)
		return err != nil, nil, err
	})
}

func forbidden(resource string) error {
	return apierrors.NewForbidden(schema.GroupResource{Resource: resource}, "", errors.New("no Role says so"))
}

func watchingNamespaces(namespaces ...string) func(*controller.Config) {
	return func(c *controller.Config) { c.Namespaces = namespaces }
}

// wantUp compares the metric of the namespaces' watches.
func (r *rig) wantUp(t *testing.T, want map[string]float64) {
	t.Helper()
	if diff := cmp.Diff(want, r.metric(t, "eurekube_namespace_watch_up")); diff != "" {
		t.Errorf("eurekube_namespace_watch_up differs (-want +got):\n%s", diff)
	}
}

func TestFieldCase103_ForbiddenNamespaceIsSkippedAndHeals(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.create(t, readyPod("a", "web-1", "web", "10.0.0.1"), readyPod("b", "web-2", "web", "10.0.0.2"))
		var granted, away atomic.Bool
		failure(func(a clienttesting.Action) error {
			switch {
			case away.Load():
				return errors.New("dial tcp: connection refused")
			case a.GetNamespace() == "b" && !granted.Load():
				return forbidden("pods")
			}
			return nil
		}).of(&r.client.Fake, "pods")
		r.run(t, watchingNamespaces("a", "b"))
		r.wantSynced(t, false) // its Role may be on its way
		time.Sleep(5 * time.Second)
		r.wantSynced(t, true)
		r.wantListed(t, "10.0.0.1:web:8080 UP")
		r.wantUp(t, map[string]float64{"a": 1, "b": 0})
		for _, action := range r.client.Actions() {
			if action.GetNamespace() == "" {
				t.Errorf("%s %s was asked for at cluster scope", action.GetVerb(), action.GetResource().Resource)
			}
		}

		time.Sleep(time.Hour)
		away.Store(true) // which neither grants nor forbids anything
		time.Sleep(time.Hour)
		away.Store(false)
		time.Sleep(time.Hour)
		r.wantLogged(t, 1, "forbade to watch pods", `namespace="b"`)
		r.wantLogged(t, 0, "permitted to watch pods")
		granted.Store(true)
		time.Sleep(30 * time.Second)
		r.wantLogged(t, 1, "permitted to watch pods", `namespace="b"`)
		r.wantListed(t, "10.0.0.1:web:8080 UP", "10.0.0.2:web:8080 UP")
		r.wantUp(t, map[string]float64{"a": 1, "b": 1})
	})
}

// TestFieldCase65_ARoleThatArrivesLateLeavesNoPartUnlisted grants a namespace's
// watches one after the other, as their tries happen to fall.
func TestFieldCase65_ARoleThatArrivesLateLeavesNoPartUnlisted(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.create(t, readyPod("a", "web-1", "web", "10.0.0.1"))
		var granted atomic.Int32 // of the two prefixes
		failure(func(a clienttesting.Action) error {
			list, ok := a.(clienttesting.ListAction)
			if !ok {
				return nil
			}
			ours := strings.HasPrefix(list.GetListRestrictions().Labels.String(), convertor.PrefixEurekube)
			if granted.Load() == 0 || ours && granted.Load() == 1 {
				return forbidden("pods")
			}
			return nil
		}).of(&r.client.Fake, "pods")
		r.run(t, watchingNamespaces("a"))
		time.Sleep(time.Minute)
		r.wantSynced(t, false)
		granted.Store(1)
		time.Sleep(time.Minute)
		r.wantSynced(t, false)
		if got, want := r.controller.Waiting(), "the API server forbids to watch pods in a"; got != want {
			t.Errorf("Waiting() = %q, want %q", got, want)
		}
		granted.Store(2)
		time.Sleep(time.Minute)
		r.wantSynced(t, true)
		r.wantListed(t, "10.0.0.1:web:8080 UP")
	})
}

func TestFieldCase103_RevokedNamespaceKeepsItsLastView(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.create(t, readyPod("a", "web-1", "web", "10.0.0.1"), readyPod("b", "web-2", "web", "10.0.0.2"))
		var revoked atomic.Bool
		failure(func(a clienttesting.Action) error {
			if a.GetNamespace() == "b" && revoked.Load() {
				return forbidden("pods")
			}
			return nil
		}).of(&r.client.Fake, "pods")
		r.run(t, watchingNamespaces("a", "b"))
		revoked.Store(true)
		r.open.end()
		time.Sleep(time.Hour)
		r.wantListed(t, "10.0.0.1:web:8080 UP", "10.0.0.2:web:8080 UP")
		r.wantUp(t, map[string]float64{"a": 1, "b": 0})
		revoked.Store(false)
		time.Sleep(30 * time.Second)
		r.wantUp(t, map[string]float64{"a": 1, "b": 1})
	})
}

func TestFieldCase103_TooLittlePermittedIsNeverSynced(t *testing.T) {
	everything := func(clienttesting.Action) bool { return true }
	tests := map[string]struct {
		namespaces []string
		forbids    func(clienttesting.Action) bool
	}{
		"nothing of the cluster":     {nil, everything},
		"nothing of every namespace": {[]string{"a", "b"}, everything},
		"one prefix, of the cluster": {nil, forPrefix("choerodon.io")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				var granted atomic.Bool
				failure(func(a clienttesting.Action) error {
					if tt.forbids(a) && !granted.Load() {
						return forbidden("pods")
					}
					return nil
				}).of(&r.client.Fake, "pods")
				r.run(t, watchingNamespaces(tt.namespaces...))
				time.Sleep(time.Hour)
				r.wantSynced(t, false)
				granted.Store(true)
				time.Sleep(30 * time.Second)
				r.wantSynced(t, true)
			})
		})
	}
}

// forPrefix finds lists and watches of pods labelled under a prefix.
func forPrefix(prefix string) func(clienttesting.Action) bool {
	return func(a clienttesting.Action) bool {
		switch a := a.(type) {
		case clienttesting.ListAction:
			return a.GetListRestrictions().Labels.String() == prefix+"/service"
		case clienttesting.WatchAction:
			return a.GetWatchRestrictions().Labels.String() == prefix+"/service"
		}
		return false
	}
}

func TestFieldCase104_SameServiceInTwoNamespaces(t *testing.T) {
	tests := map[string]struct {
		namespaces []string
		want       []string
	}{
		"all namespaces": {nil, []string{"10.0.0.1:gateway:8080 UP", "10.0.0.2:gateway:8080 UP"}},
		"both":           {[]string{"a", "b"}, []string{"10.0.0.1:gateway:8080 UP", "10.0.0.2:gateway:8080 UP"}},
		"one":            {[]string{"a"}, []string{"10.0.0.1:gateway:8080 UP"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.create(t, readyPod("a", "gateway-1", "gateway", "10.0.0.1"), readyPod("b", "gateway-1", "gateway", "10.0.0.2"))
				r.run(t, watchingNamespaces(tt.namespaces...))
				r.wantListed(t, tt.want...)
			})
		})
	}
}
