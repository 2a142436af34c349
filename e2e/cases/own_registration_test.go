package cases

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/e2e/suite"
)

// An operator takes a pod out with kubectl alone.
func TestAnnotation_StatusTakesThePodOutAndBack(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	createReady(t, namespace, "orders-1", "orders")
	program := startIn(t, namespace)
	program.expectListed(t, soon, namespace, "orders-1")

	kubectl(t, "annotate", "pod", "orders-1", "--namespace="+namespace, "eurekube.io/status=OUT_OF_SERVICE")
	program.expectStatus(t, namespace, "OUT_OF_SERVICE")
	program.expectDelta(t, namespace, "orders-1 MODIFIED")

	kubectl(t, "annotate", "pod", "orders-1", "--namespace="+namespace, "eurekube.io/status-")
	program.expectStatus(t, namespace, "UP")
}

// The application of a pod says that it ends. Kubernetes does not know yet.
func TestFieldCase87_SelfCancelOfAPodHolds(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	pod := createReady(t, namespace, "orders-1", "orders")
	program := startIn(t, namespace)
	program.expectListed(t, soon, namespace, "orders-1")
	own := ownInstance{program: program, id: "orders-1:orders:8080", address: pod.Status.PodIP}
	own.expect(t, http.MethodPost, http.StatusNoContent)
	program.expectListed(t, soon, namespace, "orders-1")

	own.expect(t, http.MethodDelete, http.StatusOK)
	program.expectListed(t, soon, namespace)
	// News of the pod and late heartbeats do not bring it back.
	kubectl(t, "annotate", "pod", "orders-1", "--namespace="+namespace, "example.com/edited=yes")
	setStatus(t, namespace, "orders-1", readyStatus(pod.Status.PodIP))
	suite.Throughout(t, 3*time.Second, func() error {
		if err := own.send(t.Context(), http.MethodPut, http.StatusOK); err != nil {
			return err
		}
		answer, err := program.list(t.Context(), "apps")
		if err != nil {
			return err
		}
		return sameNames(answer.pods(namespace), nil)
	})

	own.expect(t, http.MethodPost, http.StatusNoContent)
	program.expectListed(t, soon, namespace, "orders-1")

	// Another pod of the same name is another process.
	own.expect(t, http.MethodDelete, http.StatusOK)
	program.expectListed(t, soon, namespace)
	remove(t, namespace, "orders-1", 0)
	create(t, namespace, newPod("orders-1", "orders"), readyStatus(pod.Status.PodIP))
	program.expectListed(t, soon, namespace, "orders-1")
	if now, err := pods(namespace).Get(t.Context(), "orders-1", metav1.GetOptions{}); err != nil || now.UID == pod.UID {
		t.Fatalf("the pod was not replaced: %v", err)
	}
}

// ownInstance is what the application of a pod of the service orders says of
// itself, under an id of its own.
type ownInstance struct {
	program     *program
	id, address string
}

// send registers (POST), renews (PUT) or cancels (DELETE).
func (o ownInstance) send(ctx context.Context, method string, want int) error {
	address, body := o.program.base+"/eureka/apps/ORDERS", ""
	if method == http.MethodPost {
		body = fmt.Sprintf(`{"instance":{"instanceId":%q,"app":"ORDERS","hostName":%q,"ipAddr":%[2]q,"status":"UP",`+
			`"port":{"$":8080,"@enabled":"true"},"dataCenterInfo":{"@class":"x","name":"MyOwn"}}}`, o.id, o.address)
	} else {
		address += "/" + url.PathEscape(o.id)
	}
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := httpClient.Do(request)
	if err != nil {
		return err
	}
	response.Body.Close()
	if response.StatusCode != want {
		return fmt.Errorf("%s %s = %d, want %d", method, address, response.StatusCode, want)
	}
	return nil
}

func (o ownInstance) expect(t *testing.T, method string, want int) {
	t.Helper()
	if err := o.send(t.Context(), method, want); err != nil {
		t.Fatal(err)
	}
}
