package controller_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

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
		time.Sleep(time.Hour)
		r.update(t, readyPod("shop", "web-1", "web", "10.0.0.1"))
		want("ready again", words{Override: outOfService, Reason: "cancelled", Hint: true}, start.Add(2*time.Hour))
		time.Sleep(time.Hour)
		r.registry.RevivePod(webKey)
		want("registered again", words{Listed: true, Status: outOfService, Override: outOfService}, start.Add(3*time.Hour))
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
