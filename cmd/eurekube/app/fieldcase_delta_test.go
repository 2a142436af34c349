package app

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestFieldCase43_AThirdPodIsInTheDelta(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.1", "orders"), pod("b", "10.0.0.2", "orders"))
		r.serve()
		r.equal("hash of the list", r.apps("/eureka/apps").HashCode, "UP_2_")
		r.equal("hash of the delta", r.apps("/eureka/apps/delta").HashCode, "UP_2_")

		before := r.apps("/eureka/apps").VersionsDelta
		r.create(pod("c", "10.0.0.3", "cart"))
		r.wantDelta("ADDED 10.0.0.3:cart:8080", "ADDED 10.0.0.1:orders:8080", "ADDED 10.0.0.2:orders:8080")
		r.equal("hash of the delta", r.apps("/eureka/apps/delta").HashCode, "UP_3_")
		if after := r.apps("/eureka/apps").VersionsDelta; after <= before {
			t.Errorf("versions__delta went from %d to %d, want it greater", before, after)
		}

		r.pass(deltaWindow)
		r.wantDelta()
		r.equal("hash of the empty delta", r.apps("/eureka/apps/delta").HashCode, "UP_3_")
	})
}

func TestFieldCase44_HashCountsEachStatus(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(
			pod("a", "10.0.0.1", "orders"),
			pod("b", "10.0.0.2", "orders", annotation("status", "OUT_OF_SERVICE")),
			pod("c", "10.0.0.3", "cart", ready(corev1.ConditionFalse)),
			pod("d", "10.0.0.4", "cart"),
		)
		r.serve("--unready=down")
		for _, path := range []string{"/eureka/apps", "/eureka/apps/delta"} {
			r.equal("hash of "+path, r.apps(path).HashCode, "DOWN_1_OUT_OF_SERVICE_1_UP_2_")
		}
		r.wantListed("10.0.0.1:orders:8080 UP", "10.0.0.2:orders:8080 OUT_OF_SERVICE", "10.0.0.3:cart:8080 DOWN", "10.0.0.4:cart:8080 UP")
	})
}

func TestFieldCase45_DeletedPodComesAfterItsSuccessor(t *testing.T) {
	inBubble(t, func(r *rig) {
		a := pod("a", "10.0.0.1", "cart")
		r.create(a)
		r.serve()
		r.pass(deltaWindow)
		r.remove(a)
		r.create(pod("b", "10.0.0.2", "cart"))
		r.wantDelta("ADDED 10.0.0.2:cart:8080", "DELETED 10.0.0.1:cart:8080")
		r.wantListed("10.0.0.2:cart:8080 UP")
	})
}

func TestFieldCase50_AnAppEndsWithItsLastPod(t *testing.T) {
	inBubble(t, func(r *rig) {
		last := pod("a", "10.0.0.1", "cart")
		r.create(last, pod("b", "10.0.0.2", "orders"))
		r.serve()
		r.pass(deltaWindow)
		r.remove(last)
		r.equal("applications", len(r.apps("/eureka/apps").Applications), 1)
		r.equal("GET of the application", r.get("/eureka/apps/CART").Code, 404)
		r.equal("GET of the instance", r.get("/eureka/apps/CART/10.0.0.1:cart:8080").Code, 404)
		r.equal("GET by id", r.get("/eureka/instances/10.0.0.1:cart:8080").Code, 404)
		r.equal("applications by VIP", r.apps("/eureka/vips/cart").Applications, []application{})
		r.wantDelta("DELETED 10.0.0.1:cart:8080")
		r.pass(deltaWindow)
		r.wantDelta()
	})
}

func TestFieldCase52_AChangedLabelIsModified(t *testing.T) {
	inBubble(t, func(r *rig) {
		p := pod("a", "10.0.0.5", "orders")
		r.create(p)
		r.serve()
		before := r.one("ORDERS")
		r.equal("version", before.Metadata["version"], "1.0")
		r.pass(deltaWindow)

		r.change(p, label("eurekube.io/version", "1.1"))
		after := r.one("ORDERS")
		r.equal("instanceId", after.ID, before.ID)
		r.equal("version", after.Metadata["version"], "1.1")
		r.equal("actionType", after.ActionType, "MODIFIED")
		r.wantDelta("MODIFIED 10.0.0.5:orders:8080")
		if after.LastUpdated <= before.LastUpdated {
			t.Errorf("lastUpdatedTimestamp went from %d to %d, want it greater", before.LastUpdated, after.LastUpdated)
		}

		r.pass(deltaWindow)
		version := r.apps("/eureka/apps").VersionsDelta
		r.change(p, annotation("unknown", "1"), label("other.example/x", "1"))
		r.wantDelta()
		r.equal("version after a change that nobody can see", r.apps("/eureka/apps").VersionsDelta, version)
	})
}
