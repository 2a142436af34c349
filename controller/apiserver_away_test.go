package controller_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	clienttesting "k8s.io/client-go/testing"
)

func TestAPIServerAway_TheLastViewStays(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		stays, goes := readyPod("shop", "stays", "web", "10.0.0.1"), readyPod("shop", "goes", "web", "10.0.0.2")
		r.create(t, stays, goes)
		var away atomic.Bool
		failure(func(clienttesting.Action) error {
			if away.Load() {
				return errors.New("dial tcp: connection refused")
			}
			return nil
		}).of(&r.client.Fake, "pods")
		r.run(t, nil)
		r.wantListed(t, "10.0.0.1:web:8080 UP", "10.0.0.2:web:8080 UP")

		away.Store(true)
		r.open.expire()
		time.Sleep(10 * time.Minute)
		r.delete(t, goes)
		r.wantListed(t, "10.0.0.1:web:8080 UP", "10.0.0.2:web:8080 UP")
		r.wantUp(t, map[string]float64{"*": 0})
		r.wantLogged(t, 1, "could not be reached", "connection refused")

		away.Store(false)
		time.Sleep(15 * time.Second)
		r.wantListed(t, "10.0.0.1:web:8080 UP")
		r.wantUp(t, map[string]float64{"*": 1})
		r.wantLogged(t, 1, "was reached again")
	})
}

func TestAPIServerAbsentAtStart_HealsWithoutEverBeingEmpty(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1"))
		var away atomic.Bool
		away.Store(true)
		failure(func(clienttesting.Action) error {
			if away.Load() {
				return apierrors.NewServiceUnavailable("starting")
			}
			return nil
		}).of(&r.client.Fake, "pods")
		r.run(t, nil)
		time.Sleep(5 * time.Minute)
		r.wantSynced(t, false)
		if got := r.metric(t, "eurekube_synced")[""]; got != 0 {
			t.Errorf("eurekube_synced = %v, want 0", got)
		}
		away.Store(false)
		<-r.controller.Synced()
		r.wantListed(t, "10.0.0.1:web:8080 UP")
		if got := r.metric(t, "eurekube_synced")[""]; got != 1 {
			t.Errorf("eurekube_synced = %v, want 1", got)
		}
	})
}
