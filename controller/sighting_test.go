package controller_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clienttesting "k8s.io/client-go/testing"
)

// twoPrefixes is a pod that the watches of both prefixes deliver.
func twoPrefixes(edits ...func(*corev1.Pod)) *corev1.Pod {
	return readyPod("shop", "web-1", "web", "10.0.0.1", append([]func(*corev1.Pod){setLabel("choerodon.io/service", "web"),
		setLabel("choerodon.io/version", "1"), setLabel("choerodon.io/metrics-port", "8080"), setVersion("9")}, edits...)...)
}

func setVersion(resourceVersion string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.ResourceVersion = resourceVersion }
}

func TestFieldCase53_TerminatingPodLeavesThoughOneOfItsWatchesIsDown(t *testing.T) {
	for _, prefix := range []string{"eurekube.io", "choerodon.io"} {
		t.Run(prefix, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				var down atomic.Bool
				isFor := forPrefix(prefix)
				failure(func(a clienttesting.Action) error {
					if down.Load() && isFor(a) {
						return errors.New("dial tcp: connection refused")
					}
					return nil
				}).of(&r.client.Fake, "pods")
				pod := twoPrefixes()
				r.create(t, pod)
				r.run(t, nil)
				r.wantListed(t, "10.0.0.1:web:8080 UP")

				down.Store(true)
				r.open.end()
				time.Sleep(2 * time.Second) // the other watch is back
				now := metav1.Now()
				r.update(t, edited(pod, setVersion("10"), func(p *corev1.Pod) { p.DeletionTimestamp = &now }))
				r.wantListed(t)
				r.wantStates(t, "shop/web-1 terminating")
				r.delete(t, pod)
				time.Sleep(time.Minute)
				r.wantListed(t)

				down.Store(false)
				time.Sleep(15 * time.Second)
				r.wantListed(t)
				r.wantStates(t)
			})
		})
	}
}

// A restored etcd counts from an older resource version again.
func TestRestoredBackup_IsBelieved(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		pod := readyPod("shop", "web-1", "web", "10.0.0.1", setVersion("9"))
		r.create(t, pod)
		r.run(t, nil)
		r.update(t, edited(pod, setVersion("5"), setReady(corev1.ConditionFalse)))
		r.wantListed(t)
	})
}
