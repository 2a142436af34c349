package controller_test

import (
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/features"
	featurestesting "k8s.io/client-go/features/testing"
	clienttesting "k8s.io/client-go/testing"
)

// An API server that was restored or whose cache lags refuses a list at a
// resource version that it has not reached. Repeating that call cannot help: the
// reflector must ask without a version.
func TestTooLargeResourceVersion_IsAskedForOnlyOnce(t *testing.T) {
	featurestesting.SetFeatureDuringTest(t, features.WatchListClient, false)
	inBubble(t, func(t *testing.T, r *rig) {
		tooLarge := apierrors.NewTimeoutError("too large resource version", 1)
		tooLarge.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: metav1.CauseTypeResourceVersionTooLarge}}
		failure(func(a clienttesting.Action) error {
			if list, ok := a.(clienttesting.ListActionImpl); ok && list.ListOptions.ResourceVersion != "" {
				return tooLarge
			}
			return nil
		}).of(&r.client.Fake, "pods")
		r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1"))
		r.run(t, nil)
		time.Sleep(time.Second)
		r.wantSynced(t, true)
		r.wantListed(t, "10.0.0.1:web:8080 UP")
	})
}
