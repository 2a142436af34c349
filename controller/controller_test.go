package controller_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eurekube/eurekube/controller"
	"github.com/eurekube/eurekube/convertor"
	"github.com/eurekube/eurekube/eureka/registry"
)

func TestNew_Refuses(t *testing.T) {
	rules := convertor.Rules{Prefixes: []string{"eurekube.io"}}
	taken := prometheus.NewRegistry()
	if _, err := controller.New(controller.Config{Client: fake.NewClientset(), Rules: rules, Registry: registry.New(time.Now), Registerer: taken}); err != nil {
		t.Fatal(err)
	}
	tests := map[string]controller.Config{
		"no source":          {Rules: rules, Registry: registry.New(time.Now), Registerer: prometheus.NewRegistry()},
		"no prefix":          {Client: fake.NewClientset(), Registry: registry.New(time.Now), Registerer: prometheus.NewRegistry()},
		"no registry":        {Client: fake.NewClientset(), Rules: rules, Registerer: prometheus.NewRegistry()},
		"no registerer":      {Client: fake.NewClientset(), Rules: rules, Registry: registry.New(time.Now)},
		"metrics that exist": {Client: fake.NewClientset(), Rules: rules, Registry: registry.New(time.Now), Registerer: taken},
	}
	for name, config := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := controller.New(config); err == nil {
				t.Errorf("New(%+v) = nil error, want one", config)
			}
		})
	}
}

func TestFieldCase53_TerminatingPodLeavesAtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		pod := readyPod("shop", "web-1", "web", "10.0.0.1")
		r.create(t, pod)
		r.run(t, nil)
		r.wantListed(t, "10.0.0.1:web:8080 UP")

		now := metav1.Now()
		r.update(t, edited(pod, func(p *corev1.Pod) { p.DeletionTimestamp = &now }))
		r.wantListed(t)
		r.wantStates(t, "shop/web-1 terminating")
		if diff := cmp.Diff([]string{"DELETED 10.0.0.1:web:8080"}, r.recent["WEB"]); diff != "" {
			t.Errorf("recent changes differ (-want +got):\n%s", diff)
		}

		r.delete(t, pod)
		if changes := r.registry.Drain(); len(changes.Apps) != 0 {
			t.Errorf("the real deletion changed %v, want nothing", changes.Apps)
		}
		r.wantStates(t)
	})
}

func TestFieldCase54_ReadinessIsThePodsCondition(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		gated := readyPod("shop", "web-1", "web", "10.0.0.1", setReady(corev1.ConditionFalse))
		r.create(t, gated)
		r.run(t, nil)
		r.wantListed(t)
		r.wantStates(t, "shop/web-1 not-ready")

		r.update(t, edited(gated, setReady(corev1.ConditionTrue)))
		r.wantListed(t, "10.0.0.1:web:8080 UP")
		r.update(t, edited(gated, setReady(corev1.ConditionUnknown)))
		r.wantListed(t)
	})
}

func TestFieldCase61_ExpiredWatchConverges(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		stays, goes := readyPod("shop", "stays", "web", "10.0.0.1"), readyPod("shop", "goes", "web", "10.0.0.2")
		r.create(t, stays, goes)
		r.run(t, nil)
		r.wantListed(t, "10.0.0.1:web:8080 UP", "10.0.0.2:web:8080 UP")

		r.open.expire()
		r.delete(t, goes) // nobody watches
		r.wantListed(t, "10.0.0.1:web:8080 UP", "10.0.0.2:web:8080 UP")
		time.Sleep(time.Minute)
		r.wantListed(t, "10.0.0.1:web:8080 UP")
		r.wantStates(t, "shop/stays listed")
	})
}

func TestFieldCase62_ManyPodsLeaveWithoutSelfPreservation(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		var pods []*corev1.Pod
		for i := range 20 {
			pods = append(pods, readyPod("shop", "web-"+string(rune('a'+i)), "web", "10.0.0.1"+string(rune('a'+i))))
		}
		r.create(t, pods...)
		r.run(t, nil)
		r.drain()
		for _, pod := range pods[:16] {
			r.delete(t, pod)
		}
		r.drain()
		if got, want := len(r.instances["WEB"]), 4; got != want {
			t.Errorf("%d instances are listed, want %d", got, want)
		}
		deleted := 0
		for _, change := range r.recent["WEB"] {
			if change[:len("DELETED")] == "DELETED" {
				deleted++
			}
		}
		if want := 16; deleted != want {
			t.Errorf("the delta has %d DELETED, want %d", deleted, want)
		}
	})
}

func TestFieldCase65_NothingIsSyncedBeforeTheFirstListWasProcessed(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1"), readyPod("shop", "web-2", "web", "10.0.0.2"))
		r.client.PrependReactor("list", "pods", func(clienttesting.Action) (bool, runtime.Object, error) {
			time.Sleep(3 * time.Second)
			return false, nil, nil
		})
		// One prefix: the fake server holds a lock while it answers, and time in
		// the bubble stands still while a second list waits for a lock.
		r.run(t, func(c *controller.Config) { c.Rules.Prefixes = []string{convertor.PrefixEurekube} })
		time.Sleep(2 * time.Second)
		r.wantSynced(t, false)
		<-r.controller.Synced()
		r.wantListed(t, "10.0.0.1:web:8080 UP", "10.0.0.2:web:8080 UP")
	})
}

func TestFieldCase75_HostNetworkPodsShareAnAddress(t *testing.T) {
	onPort := func(port int32) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Spec.HostNetwork = true
			p.Spec.Containers[0].Ports[0].ContainerPort = port
		}
	}
	inBubble(t, func(t *testing.T, r *rig) {
		first := readyPod("shop", "a-1", "a", "192.168.1.5", onPort(8081))
		r.create(t, first,
			readyPod("shop", "b-1", "b", "192.168.1.5", onPort(8082)),
			readyPod("shop", "a-2", "a", "192.168.1.5", onPort(8083)))
		r.run(t, nil)
		r.wantListed(t, "192.168.1.5:a:8081 UP", "192.168.1.5:a:8083 UP", "192.168.1.5:b:8082 UP")
		r.delete(t, first)
		r.wantListed(t, "192.168.1.5:a:8083 UP", "192.168.1.5:b:8082 UP")
	})
}

func TestUIDChange_IsAnotherProcess(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		old := readyPod("shop", "db-0", "db", "10.0.0.1")
		r.create(t, old)
		r.run(t, nil)
		r.drain()
		r.update(t, edited(old, func(p *corev1.Pod) { p.UID, p.Status.PodIP, p.Status.PodIPs = "another", "10.0.0.9", nil }))
		r.wantListed(t, "10.0.0.9:db:8080 UP")

		sameAddress := edited(old, func(p *corev1.Pod) { p.UID, p.Status.PodIP, p.Status.PodIPs = "third", "10.0.0.9", nil })
		r.update(t, sameAddress)
		r.wantListed(t, "10.0.0.9:db:8080 UP")
		if diff := cmp.Diff([]string{"ADDED 10.0.0.9:db:8080", "DELETED 10.0.0.1:db:8080"}, r.recent["DB"]); diff != "" {
			t.Errorf("recent changes differ, one process did not end and another begin (-want +got):\n%s", diff)
		}
	})
}

func TestLabels_DecideAtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.run(t, nil)
		plain := readyPod("shop", "web-1", "web", "10.0.0.1", func(p *corev1.Pod) { p.Labels = nil })
		r.create(t, plain)
		r.wantStates(t)
		labelled := readyPod("shop", "web-1", "web", "10.0.0.1")
		r.update(t, labelled)
		r.wantListed(t, "10.0.0.1:web:8080 UP")
		r.update(t, edited(labelled, setLabel("eurekube.io/service", "store")))
		r.wantListed(t, "10.0.0.1:store:8080 UP")
		r.update(t, plain)
		r.wantListed(t)
		r.wantStates(t)
	})
}

func TestTwoPrefixes_AreOnePod(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		both := readyPod("shop", "web-1", "web", "10.0.0.1", setLabel("choerodon.io/service", "old-web"),
			setLabel("choerodon.io/version", "1"), setLabel("choerodon.io/metrics-port", "8080"))
		r.create(t, both)
		r.run(t, nil)
		r.wantListed(t, "10.0.0.1:web:8080 UP")
		r.wantStates(t, "shop/web-1 listed")

		r.update(t, edited(both, func(p *corev1.Pod) { delete(p.Labels, "eurekube.io/service") }))
		r.wantListed(t, "10.0.0.1:old-web:8080 UP")
		r.delete(t, both)
		r.wantListed(t)
	})
}
