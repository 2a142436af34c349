package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eurekube/eurekube/internal/buildinfo"
)

const kubeconfig = `
apiVersion: v1
kind: Config
current-context: first
clusters:
- {name: first, cluster: {server: "https://first.example"}}
- {name: second, cluster: {server: "https://second.example"}}
contexts:
- {name: first, context: {cluster: first, user: dev}}
- {name: second, context: {cluster: second, user: dev}}
users:
- {name: dev, user: {token: abc}}
`

func TestSources(t *testing.T) {
	dir := t.TempDir()
	file, token := filepath.Join(dir, "kubeconfig"), filepath.Join(dir, "token")
	for path, content := range map[string]string{file: kubeconfig, token: "abc"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cluster := "KUBERNETES_SERVICE_HOST=10.96.0.1"
	tests := []struct {
		name    string
		args    []string
		environ []string
		noToken bool
		want    Sources
		server  string // when it comes from a kubeconfig
	}{
		{name: "nothing"},
		{name: "--kubeconfig", args: []string{"--kubeconfig", file}, want: Sources{APIServer: true}, server: "https://first.example"},
		{name: "--kubeconfig and --context", args: []string{"--kubeconfig", file, "--context=second"}, want: Sources{APIServer: true}, server: "https://second.example"},
		{name: "--kubeconfig and --master", args: []string{"--kubeconfig", file, "--master=https://third.example"}, want: Sources{APIServer: true}, server: "https://third.example"},
		{name: "--kubeconfig and --manifests", args: []string{"--kubeconfig", file, "--manifests", dir}, want: Sources{APIServer: true, Manifests: true}, server: "https://first.example"},
		{name: "KUBECONFIG", environ: []string{"KUBECONFIG=none:" + file}, want: Sources{APIServer: true}, server: "https://first.example"},
		{name: "--context in KUBECONFIG, on manifests too", args: []string{"--context=second", "--manifests", dir}, environ: []string{"KUBECONFIG=" + file}, want: Sources{APIServer: true, Manifests: true}, server: "https://second.example"},
		{name: "KUBECONFIG on a run on manifests", args: []string{"--manifests", dir}, environ: []string{"KUBECONFIG=" + file}, want: Sources{Manifests: true}},
		{name: "in a cluster", environ: []string{cluster}, want: Sources{APIServer: true}},
		{name: "in a cluster with manifests", args: []string{"--manifests", dir}, environ: []string{cluster}, want: Sources{APIServer: true, Manifests: true}},
		{name: "KUBECONFIG in a cluster", environ: []string{cluster, "KUBECONFIG=" + file}, want: Sources{APIServer: true}, server: "https://first.example"},
		{name: "KUBECONFIG in a cluster without a token", environ: []string{cluster, "KUBECONFIG=" + file}, noToken: true, want: Sources{APIServer: true}, server: "https://first.example"},
		{name: "KUBECONFIG in a cluster without a token, with manifests", args: []string{"--manifests", dir}, environ: []string{cluster, "KUBECONFIG=" + file}, noToken: true, want: Sources{Manifests: true}},
		{name: "in a cluster without a token", environ: []string{cluster}, noToken: true},
		{name: "manifests in a cluster without a token", args: []string{"--manifests", dir}, environ: []string{cluster}, noToken: true, want: Sources{Manifests: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := parse(t, tt.args, tt.environ)
			o.tokenFile = token
			if tt.noToken {
				o.tokenFile = token + ".none"
			}
			if diff := cmp.Diff(tt.want, o.Sources()); diff != "" {
				t.Errorf("Sources() (-want +got):\n%s", diff)
			}
			if tt.server == "" {
				return
			}
			config, err := o.RestConfig()
			if err != nil {
				t.Fatal(err)
			}
			if config.Host != tt.server || config.BearerToken != "abc" && config.Host != "https://third.example" {
				t.Errorf("RestConfig() is for %s with token %q, want %s", config.Host, config.BearerToken, tt.server)
			}
			if want := "eurekube/" + buildinfo.Read().Version; config.UserAgent != want || config.ContentType != "application/vnd.kubernetes.protobuf" {
				t.Errorf("RestConfig() says %s in %s, want %s in protobuf", config.UserAgent, config.ContentType, want)
			}
		})
	}
}

// TestRestConfig_InACluster shows by the error which of the two configurations is
// read: the one of a service account is nowhere in a test.
func TestRestConfig_InACluster(t *testing.T) {
	t.Setenv("KUBERNETES_SERVICE_HOST", "") // client-go asks the environment itself
	cluster, variable := "KUBERNETES_SERVICE_HOST=10.96.0.1", "KUBECONFIG=none"
	tests := []struct {
		name    string
		args    []string
		environ []string
		want    string
	}{
		{"neither variable nor manifests", nil, []string{cluster}, "configuration inside the cluster: "},
		{"KUBECONFIG", nil, []string{cluster, variable}, "KUBECONFIG=none: there is no such file"},
		{"KUBECONFIG of two files that are not there", nil, []string{"KUBECONFIG=none:nothing"}, "KUBECONFIG=none:nothing: there is no such file"},
		{"KUBECONFIG that names nothing", nil, []string{"KUBECONFIG=" + os.DevNull}, "KUBECONFIG=" + os.DevNull + ": names no API server"},
		{"KUBECONFIG beside manifests", []string{"--manifests=pods"}, []string{cluster, variable}, "configuration inside the cluster: "},
		{"--context beside manifests", []string{"--manifests=pods", "--context=shop"}, []string{cluster, variable}, "--context=shop: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := parse(t, tt.args, tt.environ).RestConfig(); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("RestConfig() = %v, want an error that starts with %q", err, tt.want)
			}
		})
	}
}

func TestConnect_KeepsOverridesWhere(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "kubeconfig")
	shop := strings.Replace(kubeconfig, "{cluster: second,", "{cluster: second, namespace: shop,", 1)
	for path, content := range map[string]string{file: shop, filepath.Join(dir, "token"): "abc", filepath.Join(dir, "namespace"): "platform\n"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name string
		args []string
		want types.NamespacedName
	}{
		{"namespace of the context", []string{"--kubeconfig", file, "--context=second"}, types.NamespacedName{Namespace: "shop", Name: "eurekube-overrides"}},
		{"context without a namespace", []string{"--kubeconfig", file}, types.NamespacedName{Namespace: "default", Name: "eurekube-overrides"}},
		{"another name", []string{"--kubeconfig", file, "--overrides-configmap=mine"}, types.NamespacedName{Namespace: "default", Name: "mine"}},
		{"another namespace", []string{"--kubeconfig", file, "--overrides-configmap=store/mine"}, types.NamespacedName{Namespace: "store", Name: "mine"}},
		{"nowhere", []string{"--kubeconfig", file, "--overrides-configmap="}, types.NamespacedName{}},
		{"nowhere without self-registration", []string{"--kubeconfig", file, "--self-registration=off"}, types.NamespacedName{}},
		{"nowhere without an API server", []string{"--manifests", dir}, types.NamespacedName{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src, err := parse(t, tt.args, nil).connect()
			if err != nil {
				t.Fatal(err)
			}
			if src.overrides != tt.want {
				t.Errorf("overrides are kept in %v, want %v", src.overrides, tt.want)
			}
		})
	}
	t.Run("namespace of the service account", func(t *testing.T) {
		o := parse(t, nil, []string{"KUBERNETES_SERVICE_HOST=10.96.0.1"})
		o.tokenFile = filepath.Join(dir, "token")
		got, err := o.overridesConfigMap()
		if want := (types.NamespacedName{Namespace: "platform", Name: "eurekube-overrides"}); err != nil || got != want {
			t.Errorf("overrides are kept in %v, %v; want %v", got, err, want)
		}
	})
}
