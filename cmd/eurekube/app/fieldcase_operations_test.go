package app

import (
	"encoding/json"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"
)

// podInfo is one pod as /pods explains it.
type podInfo struct {
	Namespace string    `json:"namespace"`
	Name      string    `json:"name"`
	Service   string    `json:"service"`
	Listed    bool      `json:"listed"`
	Reason    string    `json:"reason"`
	Hint      string    `json:"hint"`
	Since     time.Time `json:"since"`
	Warnings  []struct {
		Reason  string `json:"reason"`
		Message string `json:"message"`
	} `json:"warnings"`
}

func (p podInfo) warnings() []string {
	var reasons []string
	for _, w := range p.Warnings {
		reasons = append(reasons, w.Reason)
	}
	return reasons
}

// explained reads /pods with a query, such as "?listed=false".
func (r *rig) explained(query string) []podInfo {
	r.Helper()
	answer := ask(r.admin, http.MethodGet, "/pods"+query)
	var found struct {
		Pods []podInfo `json:"pods"`
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &found); err != nil || answer.Code != http.StatusOK {
		r.Fatalf("GET /pods%s = %d, %v in\n%s", query, answer.Code, err, answer.Body)
	}
	return found.Pods
}

// forbid has the cluster refuse lists of pods in a namespace, "" for all, while
// refuse says so.
func (r *rig) forbid(namespace string, refuse *atomic.Bool) {
	refuse.Store(true)
	r.cluster.PrependReactor("list", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if !refuse.Load() || action.GetNamespace() != namespace {
			return false, nil, nil
		}
		return true, nil, apierrors.NewForbidden(corev1.Resource("pods"), "", nil)
	})
}

func TestFieldCase103_OneForbiddenNamespaceAmongTwo(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.1", "orders", namespace("a")), pod("b", "10.0.0.2", "orders", namespace("b")))
		var forbidden atomic.Bool
		r.forbid("b", &forbidden)
		r.serve("--namespaces=a,b")
		r.equal("GET /eureka/apps while the Role of b may be on its way", r.get("/eureka/apps").Code, http.StatusServiceUnavailable)
		notYet, unready := ask(r.admin, http.MethodGet, "/pods"), ask(r.admin, http.MethodGet, "/readyz")
		r.equal("GET /pods meanwhile", notYet.Code, http.StatusServiceUnavailable)
		r.equal("its reason", notYet.Body.String(), unready.Body.String())
		page := r.get("/")
		r.equal("GET / meanwhile", page.Code, http.StatusServiceUnavailable)
		r.equal("its reason", page.Body.String(), unready.Body.String())
		r.pass(5 * time.Second)
		r.wantListed("10.0.0.1:orders:8080 UP")
		r.contains(ask(r.admin, http.MethodGet, "/metrics").Body.String(),
			`eurekube_namespace_watch_up{namespace="a"} 1`, `eurekube_namespace_watch_up{namespace="b"} 0`)
		for _, action := range append(r.cluster.Actions(), r.nodes.Actions()...) {
			if action.GetVerb() != "create" && action.GetNamespace() == "" {
				t.Errorf("the program asked for %s of %s in the whole cluster", action.GetVerb(), action.GetResource().Resource)
			}
		}

		forbidden.Store(false)
		r.pass(15 * time.Second)
		r.wantListed("10.0.0.1:orders:8080 UP", "10.0.0.2:orders:8080 UP")
		r.contains(ask(r.admin, http.MethodGet, "/metrics").Body.String(), `eurekube_namespace_watch_up{namespace="b"} 1`)
	})
}

func TestFieldCase103_EveryNamespaceForbidden(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.1", "orders", namespace("a")))
		var forbidden atomic.Bool
		r.forbid("a", &forbidden)
		r.serve("--namespaces=a")
		r.pass(time.Minute)
		r.equal("GET", r.get("/eureka/apps").Code, http.StatusServiceUnavailable)
		r.equal("readiness", ask(r.admin, http.MethodGet, "/readyz").Code, http.StatusServiceUnavailable)
		forbidden.Store(false)
		r.pass(15 * time.Second)
		r.wantListed("10.0.0.1:orders:8080 UP")
	})
}

func TestFieldCase104_OneServiceInTwoNamespaces(t *testing.T) {
	for _, tt := range []struct {
		name  string
		flags []string
		want  []string
	}{
		{"both", []string{"--namespaces=a,b"}, []string{"10.0.0.1:gateway:8080 UP", "10.0.0.2:gateway:8080 UP"}},
		{"all", nil, []string{"10.0.0.1:gateway:8080 UP", "10.0.0.2:gateway:8080 UP"}},
		{"one", []string{"--namespaces", "a"}, []string{"10.0.0.1:gateway:8080 UP"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				r.create(pod("same", "10.0.0.1", "gateway", namespace("a")), pod("same", "10.0.0.2", "gateway", namespace("b")))
				r.serve(tt.flags...)
				r.wantListed(tt.want...)
				for n, i := range r.app("GATEWAY").Instances {
					r.equal("namespace of "+i.ID, i.Metadata["namespace"], []string{"a", "b"}[n])
				}
			})
		})
	}
}

func TestFieldCase107_EveryLabelledPodIsExplained(t *testing.T) {
	inBubble(t, func(r *rig) {
		unready := pod("unready", "10.0.0.2", "orders", ready(corev1.ConditionFalse))
		r.create(pod("fine", "10.0.0.1", "orders"), unready, pod("portless", "10.0.0.3", "cart", containers(container("app")), namespace("other")))
		r.serve()
		r.get("/eureka/apps/delta", asJSON)
		var got []string
		for _, p := range r.explained("?listed=false") {
			got = append(got, p.Namespace+"/"+p.Name+" of "+p.Service+": "+p.Reason)
			if p.Hint == "" || p.Since.IsZero() {
				t.Errorf("%s has hint %q and is so since %v, want both", p.Name, p.Hint, p.Since)
			}
		}
		r.equal("pods that are not listed", got, []string{"other/portless of cart: no-port", "shop/unready of orders: not-ready"})
		r.equal("pods", len(r.explained("")), 3)
		r.equal("pods of a service", len(r.explained("?service=cart")), 1)
		r.equal("pods of a service as clients write it", len(r.explained("?service=CART")), 1)
		r.equal("unlisted pods of a namespace", len(r.explained("?namespace=shop&listed=false")), 1)
		r.equal("a filter that is no text", ask(r.admin, http.MethodGet, "/pods?namespace=%zz").Code, http.StatusBadRequest)
		r.equal("a filter that is given twice", ask(r.admin, http.MethodGet, "/pods?listed=true&listed=false").Code, http.StatusBadRequest)
		r.equal("an unknown filter", ask(r.admin, http.MethodGet, "/pods?reason=no-port").Code, http.StatusBadRequest)

		r.contains(ask(r.admin, http.MethodGet, "/metrics").Body.String(),
			`eurekube_instances{app="ORDERS",status="UP"} 1`,
			`eurekube_pods_unlisted{reason="no-port"} 1`, `eurekube_pods_unlisted{reason="not-ready"} 1`, `eurekube_pods_unlisted{reason="no-ip"} 0`,
			`eurekube_http_requests_total{code="200",format="json",method="GET",route="/apps/delta"} 1`,
			"eurekube_synced 1", "eurekube_api_server_contact_age_seconds ")

		r.change(unready, ready(corev1.ConditionTrue))
		r.contains(ask(r.admin, http.MethodGet, "/metrics").Body.String(),
			`eurekube_instances{app="ORDERS",status="UP"} 2`, `eurekube_pods_unlisted{reason="not-ready"} 0`,
			"eurekube_pod_ready_to_served_seconds_count 1")
	})
}
