package app

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"
)

func TestFieldCase53_TerminatingPodIsDeletedWithinASecond(t *testing.T) {
	inBubble(t, func(r *rig) {
		p := pod("a", "10.0.0.5", "orders")
		r.create(p)
		r.serve("--unready=down")
		r.wantListed("10.0.0.5:orders:8080 UP")
		r.change(p, terminating)
		r.wantListed()
		r.wantDelta("DELETED 10.0.0.5:orders:8080")

		before := r.get("/eureka/apps/delta").Body.String()
		r.change(p, ready(corev1.ConditionFalse))
		r.remove(p)
		r.equal("delta after the real deletion", r.get("/eureka/apps/delta").Body.String(), before)
	})
}

func TestFieldCase54_TheReadyConditionAlone(t *testing.T) {
	gate := func(ready corev1.ConditionStatus) edit {
		return conditions(condition("lb.example/ok", ready), condition(corev1.ContainersReady, corev1.ConditionTrue), condition(corev1.PodReady, ready))
	}
	inBubble(t, func(r *rig) {
		gated := pod("gated", "10.0.0.1", "orders", gate(corev1.ConditionFalse))
		half := pod("half", "10.0.0.2", "orders", ready(corev1.ConditionFalse), func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", Ready: true}, {Name: "second"}}
		})
		r.create(gated, half)
		r.serve()
		r.wantListed()
		r.change(gated, gate(corev1.ConditionTrue))
		r.wantListed("10.0.0.1:orders:8080 UP")
		r.change(gated, gate(corev1.ConditionUnknown)) // its node is lost
		r.wantListed()
	})
}

func TestFieldCase56_FinishedPodsAreNotListed(t *testing.T) {
	inBubble(t, func(r *rig) {
		job := pod("job", "10.0.0.5", "orders")
		r.create(job, pod("failed", "10.0.0.6", "orders", phase(corev1.PodFailed)))
		r.serve("--unready=down")
		r.wantListed("10.0.0.5:orders:8080 UP")
		r.change(job, phase(corev1.PodSucceeded))
		r.wantListed()
	})
}

func TestFieldCase58_AnAddressThatIsUsedAgain(t *testing.T) {
	inBubble(t, func(r *rig) {
		failed := pod("a", "10.0.0.7", "cart")
		r.create(failed)
		r.serve()
		r.change(failed, phase(corev1.PodFailed))
		r.create(pod("b", "10.0.0.7", "mail"))
		r.wantListed("10.0.0.7:mail:8080 UP")
		// The next owner of the address may even be of the same service.
		r.create(pod("c", "10.0.0.7", "cart"))
		r.remove(failed)
		r.wantListed("10.0.0.7:cart:8080 UP", "10.0.0.7:mail:8080 UP")
		r.equal("pod behind the address", r.one("CART").Metadata["pod"], "c")
	})
}

func TestFieldCase61_ADeletionThatNoWatchTold(t *testing.T) {
	inBubble(t, func(r *rig) {
		goes := pod("goes", "10.0.0.2", "orders")
		r.create(pod("stays", "10.0.0.1", "orders"), goes)
		expired := make(chan struct{})
		r.cluster.PrependWatchReactor("pods", func(clienttesting.Action) (bool, watch.Interface, error) {
			select {
			case <-expired:
				return false, nil, nil
			default:
			}
			silent := watch.NewRaceFreeFake()
			go func() {
				<-expired
				silent.Error(&apierrors.NewResourceExpired("too old").ErrStatus)
			}()
			return true, silent, nil
		})
		r.serve()
		r.remove(goes)
		r.wantListed("10.0.0.1:orders:8080 UP", "10.0.0.2:orders:8080 UP")
		close(expired)
		r.pass(time.Minute)
		r.wantListed("10.0.0.1:orders:8080 UP")
		r.wantDelta("ADDED 10.0.0.1:orders:8080", "DELETED 10.0.0.2:orders:8080")
	})
}

func TestFieldCase62_ScalingDownIsNotAnOutage(t *testing.T) {
	inBubble(t, func(r *rig) {
		var pods []*corev1.Pod
		for i := range 20 {
			n := strconv.Itoa(10 + i)
			pods = append(pods, pod("web-"+n, "10.0.0."+n, "web"))
		}
		r.create(pods...)
		r.serve()
		r.pass(deltaWindow)
		r.remove(pods[4:]...)
		r.wantListed("10.0.0.10:web:8080 UP", "10.0.0.11:web:8080 UP", "10.0.0.12:web:8080 UP", "10.0.0.13:web:8080 UP")
		deleted := r.apps("/eureka/apps/delta").each(func(i instance) string { return i.ActionType })
		r.equal("entries of the delta", len(deleted), 16)
		for _, action := range deleted {
			r.equal("action", action, "DELETED")
		}
		r.pass(time.Hour)
		r.equal("hash an hour later", r.apps("/eureka/apps").HashCode, "UP_4_")
	})
}

func TestFieldCase65_NoAnswerWhileTheFirstListIsOnItsWay(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders"), pod("b", "10.0.0.6", "orders"), pod("c", "10.0.0.7", "cart"))
		r.cluster.PrependReactor("list", "pods", func(clienttesting.Action) (bool, runtime.Object, error) {
			time.Sleep(3 * time.Second)
			return false, nil, nil
		})
		r.serve("--label-prefix=eurekube.io") // one list, since the fake cluster answers one at a time
		for range 2 {
			for _, path := range append(readPaths, "/eureka/apps/NONE") {
				answer := r.get(path, asJSON)
				r.equal(path+": status", answer.Code, http.StatusServiceUnavailable)
				r.equal(path+": body", answer.Body.String(), "")
			}
			r.equal("readiness", ask(r.admin, http.MethodGet, "/readyz").Code, http.StatusServiceUnavailable)
			r.equal("liveness", ask(r.admin, http.MethodGet, "/healthz").Code, http.StatusOK)
			r.pass(900 * time.Millisecond)
		}
		for r.get("/eureka/apps").Code != http.StatusOK {
			r.pass(time.Millisecond)
		}
		r.wantListed("10.0.0.5:orders:8080 UP", "10.0.0.6:orders:8080 UP", "10.0.0.7:cart:8080 UP")
		r.equal("readiness", ask(r.admin, http.MethodGet, "/readyz").Code, http.StatusOK)
	})
}

func TestFieldCase68_UnreadyPodsAreDownOnRequest(t *testing.T) {
	never := func(p *corev1.Pod) { p.Status.Conditions[0].LastTransitionTime = *p.Status.StartTime }
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders"), pod("b", "10.0.0.6", "orders", ready(corev1.ConditionFalse)))
		r.serve("--unready=down")
		r.wantListed("10.0.0.5:orders:8080 UP", "10.0.0.6:orders:8080 DOWN")
		r.equal("apps__hashcode", r.apps("/eureka/apps").HashCode, "DOWN_1_UP_1_")
		r.create(pod("c", "10.0.0.7", "orders", ready(corev1.ConditionFalse), never))
		r.wantListed("10.0.0.5:orders:8080 UP", "10.0.0.6:orders:8080 DOWN", "10.0.0.7:orders:8080 STARTING")
	})
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders"), pod("b", "10.0.0.6", "orders", ready(corev1.ConditionFalse)))
		r.serve()
		r.wantListed("10.0.0.5:orders:8080 UP")
	})
}
