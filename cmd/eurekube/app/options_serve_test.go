package app

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// choerodon makes the pod carry the labels of Choerodon's charts too.
func choerodon(service string) edit {
	return func(p *corev1.Pod) {
		p.Labels["choerodon.io/service"] = service
		p.Labels["choerodon.io/version"] = "0.9"
		p.Labels["choerodon.io/metrics-port"] = "8081"
	}
}

func TestServe_LabelPrefixes(t *testing.T) {
	own := func(p *corev1.Pod) {
		p.Labels = map[string]string{"registry.example/service": "own", "registry.example/version": "3"}
	}
	old := func(p *corev1.Pod) {
		p.Labels = map[string]string{}
		choerodon("old")(p)
	}
	tests := []struct {
		name  string
		flags []string
		want  []string
	}{
		{"default", nil, []string{"10.0.0.1:new:8080 UP", "10.0.0.2:old:8080 UP", "10.0.0.4:new:8080 UP"}},
		{"the other order", []string{"--label-prefix=choerodon.io,eurekube.io"}, []string{"10.0.0.1:new:8080 UP", "10.0.0.2:old:8080 UP", "10.0.0.4:old:8080 UP"}},
		{"one of the operator's own", []string{"--label-prefix=registry.example"}, []string{"10.0.0.3:own:8080 UP"}},
		{"repeated", []string{"--label-prefix=registry.example", "--label-prefix=eurekube.io"}, []string{"10.0.0.1:new:8080 UP", "10.0.0.3:own:8080 UP", "10.0.0.4:new:8080 UP"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				r.create(pod("new", "10.0.0.1", "new"), pod("old", "10.0.0.2", "", old), pod("own", "10.0.0.3", "", own), pod("both", "10.0.0.4", "new", choerodon("old")))
				r.serve(tt.flags...)
				r.wantListed(tt.want...)
			})
		})
	}
}

func TestServe_LabelsComeAndGo(t *testing.T) {
	inBubble(t, func(r *rig) {
		p := pod("a", "10.0.0.1", "new", choerodon("old"))
		r.create(p)
		r.serve()
		r.wantListed("10.0.0.1:new:8080 UP")
		r.change(p, withoutLabel("eurekube.io/service"))
		r.wantListed("10.0.0.1:old:8080 UP")
		i := r.one("OLD")
		r.equal("metadata of a Choerodon pod", []string{i.Metadata["VERSION"], i.Metadata["provisioner"], i.Metadata["pod-self-link"]}, []string{"0.9", "pod", "shop/a"})
		r.change(p, withoutLabel("choerodon.io/version"))
		r.wantListed()
		r.equal("reason", r.explained("")[0].Reason, "no-version-label")
		r.change(p, withoutLabel("choerodon.io/service"))
		r.wantListed()
		r.equal("explained pods", len(r.explained("")), 0)
		r.change(p, label("eurekube.io/service", "again"))
		r.wantListed("10.0.0.1:again:8080 UP")
	})
}

func TestServe_PublishHoldoff(t *testing.T) {
	inBubble(t, func(r *rig) {
		p := pod("a", "10.0.0.1", "orders")
		r.create(p)
		r.serve("--publish-holdoff=10s", "--publish-max-holdoff=20s")
		r.change(p, terminating)
		r.wantListed("10.0.0.1:orders:8080 UP")
		r.pass(10 * time.Second)
		r.wantListed()
	})
}

// bare is a manifest as people write it by hand: no status and no uid.
const bare = `
apiVersion: v1
kind: Pod
metadata:
  name: bare
  labels: {eurekube.io/service: mainframe, eurekube.io/port: "7001"}
  annotations: {eurekube.io/advertise-host: 10.9.0.1}
`

func TestServe_ManifestsAreFollowed(t *testing.T) {
	inBubble(t, func(r *rig) {
		dir := manifests(t, pod("a", "10.0.0.1", "orders"))
		write := func(name, text string) {
			t.Helper()
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			r.settle()
		}
		r.serveManifests(dir)
		r.wantListed("10.0.0.1:orders:8080 UP")
		r.equal("readiness", ask(r.admin, http.MethodGet, "/readyz").Code, http.StatusOK)

		write("bare.yaml", bare)
		r.wantListed("10.0.0.1:orders:8080 UP", "10.9.0.1:mainframe:7001 UP")
		r.equal("namespace", r.one("MAINFRAME").Metadata["namespace"], "default")
		write("bare.yaml", "kind: [")
		r.wantListed("10.0.0.1:orders:8080 UP", "10.9.0.1:mainframe:7001 UP")
		r.contains(ask(r.admin, http.MethodGet, "/metrics").Body.String(), "eurekube_manifest_errors 1")
		write("bare.yaml", bare+"---"+bare+"  namespace: other\n")
		r.wantListed("10.0.0.1:orders:8080 UP", "10.9.0.1:mainframe:7001 UP")

		writeManifest(t, dir, pod("a", "10.0.0.1", "orders", ready(corev1.ConditionFalse)))
		r.settle()
		r.wantListed("10.9.0.1:mainframe:7001 UP")
		if err := os.Remove(filepath.Join(dir, "bare.yaml")); err != nil {
			t.Fatal(err)
		}
		r.settle()
		r.wantListed()
		r.equal("explained pods", len(r.explained("")), 1)
	})
}

func TestServe_ManifestsOfWatchedNamespaces(t *testing.T) {
	inBubble(t, func(r *rig) {
		dir := manifests(t, pod("a", "10.0.0.1", "orders"), pod("b", "10.0.0.2", "orders", namespace("other")))
		r.serveManifests(dir, "--namespaces=other", "--unready=down")
		r.wantListed("10.0.0.2:orders:8080 UP")
	})
}

func TestServe_ClusterAndManifestsTogether(t *testing.T) {
	inBubble(t, func(r *rig) {
		dir := manifests(t, pod("machine", "10.9.0.1", "orders"), pod("same", "10.9.0.2", "orders"))
		same := pod("same", "10.0.0.2", "orders")
		r.create(pod("a", "10.0.0.1", "orders"), same)
		r.serve("--manifests=" + dir)
		r.wantListed("10.0.0.1:orders:8080 UP", "10.0.0.2:orders:8080 UP", "10.9.0.1:orders:8080 UP")
		r.remove(same)
		r.wantListed("10.0.0.1:orders:8080 UP", "10.9.0.1:orders:8080 UP", "10.9.0.2:orders:8080 UP")
	})
}
