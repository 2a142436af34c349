package controller_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

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
