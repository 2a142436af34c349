package charttest

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

const demo = repository + "/deploy/demo"

func demoPods(t *testing.T) []corev1.Pod {
	t.Helper()
	files, err := filepath.Glob(demo + "/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []corev1.Pod
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		manifests := parse(t, text)
		pods := of[corev1.Pod](t, manifests, "Pod")
		if len(pods) != len(manifests) {
			t.Errorf("%s holds other objects than pods: %q", file, manifests.names())
		}
		all = append(all, pods...)
	}
	return all
}

func TestDemoPodsHaveAddressesOfTheirOwn(t *testing.T) {
	owner := map[string]string{}
	for _, pod := range demoPods(t) {
		ip := pod.Status.PodIP
		if net.ParseIP(ip) == nil {
			t.Errorf("%s has the address %q", pod.Name, ip)
		}
		if other, taken := owner[ip]; taken {
			t.Errorf("%s and %s share the address %s", pod.Name, other, ip)
		}
		owner[ip] = pod.Name
	}
	if len(owner) == 0 {
		t.Error("there are no demo pods")
	}
}

// The binary of the Dockerfile, started with the chart's own arguments, serves
// the demo from an otherwise empty root as the image's user.
func TestImageServesTheDemo(t *testing.T) {
	api, admin := serveDemo(t)
	apps := get(t, api+"/eureka/apps")
	want := map[string]int{"ORDERS": 2, "CART": 1, "PAYMENT": 1, "LEGACY": 1}
	if diff := cmp.Diff(want, instances(t, apps)); diff != "" {
		t.Errorf("instances by application (-want +got):\n%s", diff)
	}
	metrics := string(get(t, admin+"/metrics"))
	for _, line := range []string{`eurekube_pods_unlisted{reason="not-ready"} 1`, `eurekube_pods_unlisted{reason="no-port"} 1`} {
		if !strings.Contains(metrics, line+"\n") {
			t.Errorf("metrics lack %s", line)
		}
	}
	for line := range strings.Lines(metrics) {
		if strings.HasPrefix(line, "eurekube_pod_warnings{") && !strings.HasSuffix(line, " 0\n") {
			t.Errorf("demo pods are listed with warnings: %s", line)
		}
	}
}

// instances counts the instances of each application in a JSON answer.
func instances(t *testing.T, answer []byte) map[string]int {
	t.Helper()
	var body struct {
		Applications struct {
			Application []struct {
				Name     string
				Instance []json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(answer, &body); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	count := map[string]int{}
	for _, app := range body.Applications.Application {
		count[app.Name] = len(app.Instance)
	}
	return count
}
