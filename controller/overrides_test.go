package controller_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eurekube/eurekube/controller"
	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

var overridesName = types.NamespacedName{Namespace: "platform", Name: "eurekube-overrides"}

func keepingOverrides(c *controller.Config) { c.Overrides = overridesName }

const (
	webKey       = "shop/web-1/uid-of-web-1"
	outOfService = eureka.StatusOutOfService
	document     = "overrides.json"
)

// kept is the document in the ConfigMap, empty when there is none.
func (r *rig) kept(t *testing.T) string {
	t.Helper()
	synctest.Wait()
	found, err := r.client.Tracker().Get(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, overridesName.Namespace, overridesName.Name)
	if apierrors.IsNotFound(err) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return found.(*corev1.ConfigMap).Data[document]
}

func (r *rig) wantKept(t *testing.T, want string) {
	t.Helper()
	if got := r.kept(t); got != want {
		t.Errorf("kept overrides are %q, want %q", got, want)
	}
}

// edit writes the document as somebody else would.
func (r *rig) edit(t *testing.T, text string) {
	t.Helper()
	maps := r.client.CoreV1().ConfigMaps(overridesName.Namespace)
	object := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: overridesName.Namespace, Name: overridesName.Name},
		Data:       map[string]string{document: text, "notes": "of somebody else"},
	}
	_, err := maps.Update(t.Context(), object, metav1.UpdateOptions{})
	if apierrors.IsNotFound(err) {
		_, err = maps.Create(t.Context(), object, metav1.CreateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
}

// writes counts what was written to the ConfigMap, with success or not.
func (r *rig) writes() int {
	synctest.Wait()
	n := 0
	for _, a := range r.client.Actions() {
		if a.GetResource().Resource == "configmaps" && (a.GetVerb() == "create" || a.GetVerb() == "update") {
			n++
		}
	}
	return n
}

// restart ends the controller and runs another with an empty registry, as a new
// process does.
func (r *rig) restart(t *testing.T) {
	t.Helper()
	r.stop()
	r.anotherProcess()
	r.run(t, keepingOverrides)
}

func entry(podKey string, status eureka.Status) string {
	return fmt.Sprintf("{\n  %q: %q\n}", podKey, status)
}

func TestFieldCase91_OverridesOfPodsSurviveWhatHappensToThePod(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		pod := readyPod("shop", "web-1", "web", "10.0.0.1")
		r.create(t, pod)
		r.run(t, keepingOverrides)
		r.registry.OverridePod(webKey, outOfService)
		r.wantListed(t, "10.0.0.1:web:8080 OUT_OF_SERVICE")

		r.update(t, edited(pod, func(p *corev1.Pod) { p.Annotations = map[string]string{"eurekube.io/metadata.team": "blue"} }))
		r.wantListed(t, "10.0.0.1:web:8080 OUT_OF_SERVICE")
		r.update(t, edited(pod, setReady(corev1.ConditionFalse)))
		r.wantListed(t)
		r.update(t, edited(pod, setLabel("eurekube.io/service", ""))) // nothing to tell of it
		r.wantStates(t, "shop/web-1 no-service-name")
		r.update(t, pod)
		r.wantListed(t, "10.0.0.1:web:8080 OUT_OF_SERVICE")
		r.open.expire()
		time.Sleep(time.Minute)
		r.wantListed(t, "10.0.0.1:web:8080 OUT_OF_SERVICE")

		r.registry.OverridePod(webKey, "")
		r.wantListed(t, "10.0.0.1:web:8080 UP")
		r.wantKept(t, "{}")

		r.registry.OverridePod(webKey, outOfService)
		r.update(t, edited(pod, func(p *corev1.Pod) { p.UID = "of-its-successor" }))
		r.wantListed(t, "10.0.0.1:web:8080 UP")
		r.wantKept(t, "{}")
	})
}

func TestFieldCase94_OverridesOfPodsSurviveARestart(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1"), readyPod("shop", "web-2", "web", "10.0.0.2"))
		r.run(t, keepingOverrides)
		r.registry.OverridePod(webKey, outOfService)
		r.wantKept(t, entry(webKey, outOfService))
		if got := r.writes(); got != 1 {
			t.Errorf("one override was written %d times", got)
		}

		r.restart(t)
		r.wantListed(t, "10.0.0.1:web:8080 OUT_OF_SERVICE", "10.0.0.2:web:8080 UP")
		if got := r.writes(); got != 1 {
			t.Errorf("the restart wrote, there are %d writes", got)
		}
	})
}

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

func TestOverrides_OfPodsThatEndedMeanwhileAreForgotten(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1"))
		r.edit(t, `{"shop/gone/uid": "DOWN", "`+webKey+`": "out_of_service"}`)
		r.run(t, keepingOverrides)
		r.wantListed(t, "10.0.0.1:web:8080 OUT_OF_SERVICE")
		r.wantKept(t, entry(webKey, outOfService))
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

func TestOverrides_ReachAnotherReplica(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1"), readyPod("shop", "web-2", "web", "10.0.0.2"))
		r.run(t, keepingOverrides)
		other := r.replica()
		other.run(t, keepingOverrides)
		other.wantListed(t, "10.0.0.1:web:8080 UP", "10.0.0.2:web:8080 UP")

		r.registry.OverridePod(webKey, outOfService)
		other.wantListed(t, "10.0.0.1:web:8080 OUT_OF_SERVICE", "10.0.0.2:web:8080 UP")
		other.registry.OverridePod("shop/web-2/uid-of-web-2", eureka.StatusDown)
		other.registry.OverridePod(webKey, "")
		r.wantListed(t, "10.0.0.1:web:8080 UP", "10.0.0.2:web:8080 DOWN")
		if got := r.writes(); got > 3 {
			t.Errorf("three changes were written %d times: the replicas echo each other", got)
		}
	})
}

func TestOverrides_EditedWithKubectl(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1"))
		r.run(t, keepingOverrides)
		r.edit(t, entry(webKey, eureka.StatusDown))
		r.wantListed(t, "10.0.0.1:web:8080 DOWN")
		r.edit(t, "{}")
		r.wantListed(t, "10.0.0.1:web:8080 UP")

		r.registry.OverridePod(webKey, outOfService)
		r.wantKept(t, entry(webKey, outOfService))
		found, err := r.client.CoreV1().ConfigMaps(overridesName.Namespace).Get(t.Context(), overridesName.Name, metav1.GetOptions{})
		if err != nil || found.Data["notes"] != "of somebody else" {
			t.Errorf("other entries did not stay: %v, %v", found.Data, err)
		}
	})
}

func TestOverrides_ALostConfigMapIsWrittenAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1"))
		r.run(t, keepingOverrides)
		r.registry.OverridePod(webKey, outOfService)
		synctest.Wait()
		if err := r.client.CoreV1().ConfigMaps(overridesName.Namespace).Delete(t.Context(), overridesName.Name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		r.wantListed(t, "10.0.0.1:web:8080 OUT_OF_SERVICE")
		r.wantKept(t, entry(webKey, outOfService))
	})
}

func TestOverrides_AnUnreadableDocumentIsLeftAlone(t *testing.T) {
	tests := map[string]string{"no JSON": "web-1: DOWN", "no status": `{"` + webKey + `": "PAUSED"}`}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1"))
				r.run(t, keepingOverrides)
				r.registry.OverridePod(webKey, outOfService)
				synctest.Wait()
				r.edit(t, text)
				r.wantListed(t, "10.0.0.1:web:8080 OUT_OF_SERVICE")
				r.registry.OverridePod(webKey, eureka.StatusDown)
				r.wantListed(t, "10.0.0.1:web:8080 DOWN")
				time.Sleep(time.Minute)
				r.wantKept(t, text)
				r.edit(t, entry(webKey, outOfService))
				r.wantKept(t, entry(webKey, eureka.StatusDown))
			})
		})
	}
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

func TestOverrides_TooManyAreNotWritten(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.run(t, keepingOverrides)
		many := make(map[string]eureka.Status)
		for i := range 4000 {
			many[fmt.Sprintf("shop/%0200d/uid", i)] = outOfService
		}
		for podKey, status := range many {
			r.registry.AdoptOverride(podKey, "", status)
		}
		r.registry.Replace(registry.OwnerPod, "shop/first/uid", registry.Claim{Hidden: true})
		r.registry.OverridePod("shop/first/uid", outOfService)
		time.Sleep(time.Minute)
		r.wantKept(t, "")
		if got := r.writes(); got != 0 {
			t.Errorf("%d writes of a document that is too large", got)
		}
		for podKey := range many {
			r.registry.OverridePod(podKey, "")
		}
		time.Sleep(15 * time.Second)
		r.wantKept(t, entry("shop/first/uid", outOfService))
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

func TestPods_SayWhoTookAPodOut(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1"))
		r.run(t, nil)
		type words struct {
			Listed           bool
			Status, Override eureka.Status
			Reason           string
			Hint             bool
		}
		want := func(when string, want words, since time.Time) {
			t.Helper()
			p := r.controller.Pods()[0]
			got := words{p.Listed, p.Status, p.Override, string(p.Reason), p.Hint != ""}
			if diff := cmp.Diff(want, got); diff != "" || !p.Since.Equal(since) {
				t.Errorf("%s: since %v, want %v (-want +got):\n%s", when, p.Since, since, diff)
			}
			unlisted := map[string]float64{}
			if want.Reason != "" {
				unlisted[want.Reason] = 1
			}
			if diff := cmp.Diff(unlisted, nonZero(r.metric(t, "eurekube_pods_unlisted"))); diff != "" {
				t.Errorf("%s: eurekube_pods_unlisted (-want +got):\n%s", when, diff)
			}
		}
		start := time.Now()
		want("at first", words{Listed: true, Status: "UP"}, start)
		r.registry.OverridePod(webKey, outOfService)
		want("overridden", words{Listed: true, Status: outOfService, Override: outOfService}, start)
		time.Sleep(time.Hour)
		r.registry.CancelPod(webKey)
		want("cancelled", words{Override: outOfService, Reason: "cancelled", Hint: true}, start.Add(time.Hour))
		r.update(t, readyPod("shop", "web-1", "web", "10.0.0.1", setReady(corev1.ConditionFalse)))
		want("not ready either", words{Override: outOfService, Reason: "not-ready", Hint: true}, start.Add(time.Hour))
	})
}

func TestFieldCase86_ARegistrationBeforeThePodIsReady(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		pod := readyPod("shop", "web-1", "web", "10.0.0.1", setReady(corev1.ConditionFalse))
		r.create(t, pod)
		r.run(t, nil)
		inst := &eureka.Instance{ID: "web-1:web:8080", App: "WEB", Status: eureka.StatusUp}
		r.registry.Replace(registry.OwnerLease, registry.LeaseKey("WEB", inst.ID), registry.Listed(inst, registry.Endpoint{Host: "web-1", Port: 8080}))
		r.wantListed(t)
		r.update(t, edited(pod, setReady(corev1.ConditionTrue)))
		r.wantListed(t, "10.0.0.1:web:8080 UP")
		now := metav1.Now()
		r.update(t, edited(pod, func(p *corev1.Pod) { p.DeletionTimestamp = &now }))
		r.wantListed(t)
		r.delete(t, pod)
		r.wantListed(t)
	})
}
