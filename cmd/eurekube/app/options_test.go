package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eurekube/eurekube/convertor"
	"github.com/eurekube/eurekube/internal/buildinfo"
)

func parse(t *testing.T, args, environ []string) *Options {
	t.Helper()
	o := NewOptions()
	if err := o.Parse(args, environ); err != nil {
		t.Fatalf("Parse(%q, %q) = %v", args, environ, err)
	}
	return o
}

func TestParse(t *testing.T) {
	tests := []struct {
		name    string
		args    []string
		environ []string
		want    func(*Options) // what differs from the defaults
	}{
		{name: "defaults", want: func(*Options) {}},
		{
			name: "repeated lists replace the default and add up",
			args: []string{"--label-prefix=a.example", "--label-prefix", "b.example, c.example,", "--namespaces=shop"},
			want: func(o *Options) {
				o.LabelPrefixes = []string{"a.example", "b.example", "c.example"}
				o.Namespaces = []string{"shop"}
			},
		},
		{
			name:    "environment",
			environ: []string{"EUREKUBE_UNREADY=down", "EUREKUBE_PUBLISH_MAX_HOLDOFF=1s", "EUREKUBE_LABEL_PREFIX=a.example,b.example"},
			want: func(o *Options) {
				o.Unready = convertor.UnreadyDown
				o.PublishMaxHoldoff = time.Second
				o.LabelPrefixes = []string{"a.example", "b.example"}
			},
		},
		{
			name:    "flag wins over its variable",
			args:    []string{"--drain=1s", "--namespaces=a"},
			environ: []string{"EUREKUBE_DRAIN=2s", "EUREKUBE_NAMESPACES=b", "REGISTER_SERVICE_NAMESPACE=c"},
			want: func(o *Options) {
				o.Drain = time.Second
				o.Namespaces = []string{"a"}
			},
		},
		{
			name:    "Choerodon's variable",
			environ: []string{"REGISTER_SERVICE_NAMESPACE=shop,store"},
			want:    func(o *Options) { o.Namespaces = []string{"shop", "store"} },
		},
		{
			name:    "our variable wins over Choerodon's",
			environ: []string{"EUREKUBE_NAMESPACES=shop", "REGISTER_SERVICE_NAMESPACE=store"},
			want:    func(o *Options) { o.Namespaces = []string{"shop"} },
		},
		{
			name:    "variables set to nothing are not set",
			environ: []string{"EUREKUBE_DRAIN=", "EUREKUBE_LABEL_PREFIX=", "EUREKUBE_OLD_OPTION="},
			want:    func(*Options) {},
		},
		{
			name: "variables of Services called eurekube, eurekube-admin and eurekube-drain",
			environ: []string{
				"EUREKUBE_SERVICE_HOST=10.96.0.9", "EUREKUBE_SERVICE_PORT=8761", "EUREKUBE_SERVICE_PORT_HTTP=8761",
				"EUREKUBE_PORT=tcp://10.96.0.9:8761", "EUREKUBE_PORT_8761_TCP=tcp://10.96.0.9:8761", "EUREKUBE_PORT_8761_TCP_PROTO=tcp",
				"EUREKUBE_PORT_8761_TCP_PORT=8761", "EUREKUBE_PORT_8761_TCP_ADDR=10.96.0.9",
				"EUREKUBE_ADMIN_SERVICE_HOST=fd00::9", "EUREKUBE_ADMIN_PORT=udp://[fd00::9]:53", "EUREKUBE_ADMIN_PORT_53_UDP_ADDR=fd00::9",
				"EUREKUBE_DRAIN_SERVICE_HOST=10.96.0.9", "EUREKUBE_DRAIN_PORT=tcp://10.96.0.9:1",
			},
			want: func(*Options) {},
		},
		{
			name:    "self-registration",
			args:    []string{"--self-registration=pods-only", "--claim-names", "--self-preservation-threshold=0", "--max-body=64Ki", "--overrides-configmap="},
			environ: []string{"EUREKUBE_AUTH_READS=true", "EUREKUBE_SELF_PRESERVATION_CEILING=10m", "EUREKUBE_AUTH_FILE=users"},
			want: func(o *Options) {
				o.SelfRegistration = SelfRegistration{
					Mode: "pods-only", ClaimNames: true, PreservationCeiling: 10 * time.Minute, MaxBody: 64 << 10,
					AuthFile: "users", AuthReads: true,
				}
			},
		},
		{
			name:    "bridges",
			args:    []string{"--bridge=geerpc,callback", "--geerpc-ttl=0", "--callback-targets=10.0.0.0/8,fd00::/8"},
			environ: []string{"EUREKUBE_GEERPC_APP=rpc", "EUREKUBE_CALLBACK_LISTEN=:3001"},
			want: func(o *Options) {
				o.Bridge = Bridge{
					On: []string{"geerpc", "callback"}, GeeRPCApp: "rpc",
					CallbackListen: ":3001", CallbackTargets: []string{"10.0.0.0/8", "fd00::/8"},
				}
			},
		},
		{
			name: "log flags in both spellings",
			args: []string{"--skip_headers=false", "--skip-log-headers=false", "-v0"},
			want: func(*Options) {},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := NewOptions()
			tt.want(want)
			got := parse(t, tt.args, tt.environ)
			if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Options{})); diff != "" {
				t.Errorf("Parse(%q, %q) (-want +got):\n%s", tt.args, tt.environ, diff)
			}
		})
	}
}

func TestParse_LogFlagFromEnvironment(t *testing.T) {
	t.Cleanup(func() { parse(t, []string{"-v0"}, nil) }) // klog's state is global
	o := parse(t, nil, []string{"EUREKUBE_V=3"})
	if got := o.flags.Lookup("v").Value.String(); got != "3" {
		t.Errorf("EUREKUBE_V=3 set -v to %s", got)
	}
}

// TestInjected_NeverAFlag holds the other half of the rule for Services: no
// flag's variable may look like one that Kubernetes sets.
func TestInjected_NeverAFlag(t *testing.T) {
	parse(t, nil, nil).flags.VisitAll(func(f *pflag.Flag) {
		if injected(Variable(f.Name), "tcp://10.96.0.9:8761") {
			t.Errorf("--%s: a Service can set its variable %s", f.Name, Variable(f.Name))
		}
	})
	if injected("EUREKUBE_PORT", "8761") {
		t.Error("EUREKUBE_PORT=8761 is taken for a Service's variable, want it reported")
	}
}

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
		{"KUBECONFIG", nil, []string{cluster, variable}, "KUBECONFIG=none: "},
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
