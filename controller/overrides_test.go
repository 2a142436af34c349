package controller_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eurekube/eurekube/eureka"
)

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

func TestOverrides_OfPodsThatEndedMeanwhileAreForgotten(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1"))
		r.edit(t, `{"shop/gone/uid": "DOWN", "`+webKey+`": "out_of_service"}`)
		r.run(t, keepingOverrides)
		r.wantListed(t, "10.0.0.1:web:8080 OUT_OF_SERVICE")
		r.wantKept(t, entry(webKey, outOfService))
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
