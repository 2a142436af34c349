package controller_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eurekube/eurekube/controller"
	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

func TestOverrides_AreWaitedForBeforeAPodIsListed(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1"))
		r.edit(t, entry(webKey, outOfService))
		start := time.Now()
		r.client.PrependReactor("get", "configmaps", func(clienttesting.Action) (bool, runtime.Object, error) {
			if time.Since(start) < 3*time.Second {
				return true, nil, errors.New("dial tcp: i/o timeout")
			}
			return false, nil, nil
		})
		r.run(t, keepingOverrides)
		time.Sleep(2 * time.Second)
		r.wantSynced(t, false)
		<-r.controller.Synced()
		r.wantListed(t, "10.0.0.1:web:8080 OUT_OF_SERVICE")
		if diff := cmp.Diff([]string{"ADDED 10.0.0.1:web:8080"}, r.recent["WEB"]); diff != "" {
			t.Errorf("it was listed otherwise first (-want +got):\n%s", diff)
		}
	})
}

func TestOverrides_OfAForbiddenNamespaceAreNotForgotten(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1"), readyPod("other", "a", "a", "10.0.0.2"))
		r.edit(t, entry(webKey, outOfService))
		var granted atomic.Bool
		failure(func(a clienttesting.Action) error {
			if a.GetNamespace() == "shop" && !granted.Load() {
				return forbidden("pods")
			}
			return nil
		}).of(&r.client.Fake, "pods")
		r.run(t, func(c *controller.Config) { c.Overrides, c.Namespaces = overridesName, []string{"shop", "other"} })
		r.wantListed(t, "10.0.0.2:a:8080 UP")
		time.Sleep(time.Hour)
		granted.Store(true)
		time.Sleep(time.Minute)
		r.wantListed(t, "10.0.0.1:web:8080 OUT_OF_SERVICE", "10.0.0.2:a:8080 UP")
	})
}

// TestOverrides_WhenTheAPIServerDoesNotTakeThem has it fail in one way at a time:
// the override holds, and is kept once the API server takes it.
func TestOverrides_WhenTheAPIServerDoesNotTakeThem(t *testing.T) {
	tests := []struct {
		name string
		verb string
		err  error
	}{
		{"may not read", "get", forbidden("configmaps")},
		{"may not write", "create", forbidden("configmaps")},
		{"may not watch", "watch", forbidden("configmaps")},
		{"no answer", "*", errors.New("dial tcp: connection refused")},
		{"not well", "create", apierrors.NewInternalError(errors.New("etcd"))},
		{"another replica was first", "create", apierrors.NewAlreadyExists(schema.GroupResource{Resource: "configmaps"}, overridesName.Name)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1"))
				var healed atomic.Bool
				fail := func(clienttesting.Action) (bool, runtime.Object, error) {
					return !healed.Load(), nil, tt.err
				}
				r.client.PrependReactor(tt.verb, "configmaps", fail)
				r.run(t, keepingOverrides)
				<-r.controller.Synced()
				r.registry.OverridePod(webKey, outOfService)
				r.wantListed(t, "10.0.0.1:web:8080 OUT_OF_SERVICE")
				time.Sleep(time.Hour)
				if got := r.writes(); got > 3600/8 {
					t.Errorf("%d attempts to write in an hour, want pauses of 10 s between them", got)
				}
				healed.Store(true)
				time.Sleep(15 * time.Second)
				r.wantKept(t, entry(webKey, outOfService))
			})
		})
	}
}

func TestOverrides_AConflictReadsAgainAndLosesNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1"), readyPod("shop", "web-2", "web", "10.0.0.2"))
		r.edit(t, "{}")
		var once atomic.Bool
		r.client.PrependReactor("update", "configmaps", func(clienttesting.Action) (bool, runtime.Object, error) {
			if once.Swap(true) {
				return false, nil, nil
			}
			// Another replica writes between our reading and our writing.
			theirs := &corev1.ConfigMap{
				ObjectMeta: metav1.ObjectMeta{Namespace: overridesName.Namespace, Name: overridesName.Name},
				Data:       map[string]string{document: entry("shop/web-2/uid-of-web-2", eureka.StatusDown)},
			}
			err := r.client.Tracker().Update(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, theirs, overridesName.Namespace)
			if err != nil {
				t.Error(err)
			}
			return true, nil, apierrors.NewConflict(schema.GroupResource{Resource: "configmaps"}, overridesName.Name, errors.New("stale"))
		})
		r.run(t, keepingOverrides)
		r.registry.OverridePod(webKey, outOfService)
		time.Sleep(time.Second)
		r.wantListed(t, "10.0.0.1:web:8080 OUT_OF_SERVICE", "10.0.0.2:web:8080 DOWN")
		r.wantKept(t, fmt.Sprintf("{\n  %q: %q,\n  %q: %q\n}", webKey, outOfService, "shop/web-2/uid-of-web-2", eureka.StatusDown))
	})
}

func TestOverrides_WithoutAnAPIServerEndWithTheProcess(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.run(t, func(c *controller.Config) { c.Client, c.Manifests, c.Overrides = nil, t.TempDir(), overridesName })
		r.registry.Replace(registry.OwnerPod, webKey, registry.Claim{Hidden: true})
		r.registry.OverridePod(webKey, outOfService)
		if got := r.writes(); got != 0 {
			t.Errorf("%d writes without an API server", got)
		}
		if diff := cmp.Diff(map[string]eureka.Status{webKey: outOfService}, r.registry.PodOverrides()); diff != "" {
			t.Errorf("overrides (-want +got):\n%s", diff)
		}
	})
}
