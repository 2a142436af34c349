package charttest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

func wantArg(t *testing.T, args []string, want string) {
	t.Helper()
	if !slices.Contains(args, want) {
		t.Errorf("arguments %q lack %q", args, want)
	}
}

func TestDefaultArgs(t *testing.T) {
	want := []string{
		"serve",
		"--label-prefix=eurekube.io",
		"--label-prefix=choerodon.io",
		"--unready=omit",
		"--ip-family=auto",
		"--pod-events=unlisted",
		"--publish-holdoff=20ms",
		"--publish-max-holdoff=200ms",
		"--self-registration=on",
		"--claim-names=false",
		"--self-preservation-threshold=0.85",
		"--self-preservation-ceiling=1h",
		"--max-body=1Mi",
		"--overrides-configmap=shop-registry-eurekube-overrides",
		"--drain=5s",
		"--header-timeout=10s",
		"--write-timeout=60s",
		"--idle-timeout=90s",
		"--v=2",
	}
	if diff := cmp.Diff(want, container(t, "").Args); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
}

func TestEachValueSetsItsFlag(t *testing.T) {
	tests := []struct{ values, arg string }{
		{values: "namespaces: [a, b]", arg: "--namespaces=a,b"},
		{values: "labelPrefixes: [example.com]", arg: "--label-prefix=example.com"},
		{values: "unready: down", arg: "--unready=down"},
		{values: "ipFamily: ipv6", arg: "--ip-family=ipv6"},
		{values: "podEvents: all", arg: "--pod-events=all"},
		{values: "podEvents: none", arg: "--pod-events=none"},
		{values: "publishHoldoff: 50ms", arg: "--publish-holdoff=50ms"},
		{values: "publishMaxHoldoff: 1s", arg: "--publish-max-holdoff=1s"},
		{values: "headerTimeout: 1s", arg: "--header-timeout=1s"},
		{values: "writeTimeout: 2m", arg: "--write-timeout=2m"},
		{values: "idleTimeout: 1m30s", arg: "--idle-timeout=1m30s"},
		{values: "verbosity: 4", arg: "--v=4"},
		{values: "selfRegistration: pods-only", arg: "--self-registration=pods-only"},
		{values: "selfRegistration: 'off'", arg: "--self-registration=off"},
		{values: "selfRegistration: off", arg: "--self-registration=off"},
		{values: "selfRegistration: on", arg: "--self-registration=on"},
		{values: "claimNames: true", arg: "--claim-names=true"},
		{values: "selfPreservationThreshold: 0", arg: "--self-preservation-threshold=0"},
		{values: "selfPreservationThreshold: 0.5", arg: "--self-preservation-threshold=0.5"},
		{values: "selfPreservationCeiling: 10m", arg: "--self-preservation-ceiling=10m"},
		{values: "maxBody: 64Ki", arg: "--max-body=64Ki"},
		{values: "auth: {secretName: who}", arg: "--auth-file=/etc/eurekube/auth/users"},
		{values: "auth: {secretName: who, key: htpasswd}", arg: "--auth-file=/etc/eurekube/auth/htpasswd"},
		{values: "auth: {secretName: who, reads: true}", arg: "--auth-reads=true"},
		{values: "bridge: {geerpc: {enabled: true}}", arg: "--bridge=geerpc"},
		{values: "bridge: {geerpc: {enabled: true}}", arg: "--geerpc-app=GEERPC"},
		{values: "bridge: {geerpc: {enabled: true}}", arg: "--geerpc-ttl=5m"},
		{values: "bridge: {geerpc: {enabled: true, app: RPC}}", arg: "--geerpc-app=RPC"},
		{values: "bridge: {geerpc: {enabled: true, ttl: 0s}}", arg: "--geerpc-ttl=0s"},
		{values: "bridge: {callback: {enabled: true}, geerpc: {enabled: true}}", arg: "--bridge=callback,geerpc"},
		{values: "bridge: {callback: {enabled: true, targets: [10.1.0.0/16, 'fd00::/64']}}", arg: "--callback-targets=10.1.0.0/16,fd00::/64"},
		{values: "webhook: {urls: ['https://a.example/x', 'http://b.example']}", arg: "--webhook=http://b.example"},
		{values: "webhook: {urls: ['https://a.example/x']}", arg: "--webhook-lease=shop-registry-eurekube-webhook"},
		{values: "webhook: {secretName: hooks, urlsKey: urls}", arg: "--webhook-file=/etc/eurekube/webhook/urls"},
		{values: "webhook: {secretName: hooks, urls: ['https://a.example/x']}", arg: "--webhook-secret-file=/etc/eurekube/webhook/secret"},
		{values: "tls: {secretName: cert}", arg: "--tls-cert=/etc/eurekube/tls/tls.crt"},
		{values: "tls: {secretName: cert}", arg: "--tls-key=/etc/eurekube/tls/tls.key"},
	}
	for _, tt := range tests {
		t.Run(tt.values, func(t *testing.T) {
			wantArg(t, container(t, tt.values).Args, tt.arg)
		})
	}
}

func TestSecretsAreMountedWhereTheFlagsPoint(t *testing.T) {
	tests := []struct {
		values  string
		secrets map[string]string // by volume
	}{
		{values: "", secrets: map[string]string{}},
		{values: "tls: {secretName: cert}", secrets: map[string]string{"tls": "cert"}},
		{values: "auth: {secretName: who}", secrets: map[string]string{"auth": "who"}},
		{values: "webhook: {secretName: hooks, urls: ['https://a.example/x']}", secrets: map[string]string{"webhook": "hooks"}},
		{values: "{tls: {secretName: cert}, auth: {secretName: who}}", secrets: map[string]string{"tls": "cert", "auth": "who"}},
	}
	for _, tt := range tests {
		t.Run(tt.values, func(t *testing.T) {
			pod := deployment(t, tt.values).Spec.Template.Spec
			secrets := map[string]string{}
			for _, volume := range pod.Volumes {
				secrets[volume.Name] = volume.Secret.SecretName
			}
			if diff := cmp.Diff(tt.secrets, secrets); diff != "" {
				t.Errorf("secrets of the volumes (-want +got):\n%s", diff)
			}
			mounted := map[string]string{}
			for _, mount := range pod.Containers[0].VolumeMounts {
				if mount.MountPath != "/etc/eurekube/"+mount.Name || !mount.ReadOnly {
					t.Errorf("mount %+v, want it read-only under its name", mount)
				}
				mounted[mount.Name] = tt.secrets[mount.Name]
			}
			if diff := cmp.Diff(tt.secrets, mounted); diff != "" {
				t.Errorf("mounts (-want +got):\n%s", diff)
			}
		})
	}
}

// The Go runtime reads the CPU limit of the cgroup by itself since Go 1.25, so
// GOMAXPROCS is left alone.
func TestGoMemLimitIsNineTenthsOfTheMemoryLimit(t *testing.T) {
	tests := []struct{ name, values, want string }{
		{name: "default 256Mi", values: "", want: "241591910"},
		{name: "Gi", values: "resources: {limits: {memory: 1Gi}}", want: "966367641"},
		{name: "decimal", values: "resources: {limits: {memory: 500M}}", want: "450000000"},
		{name: "bytes as a number", values: "resources: {limits: {memory: 134217728}}", want: "120795955"},
		{name: "bytes as a text", values: "resources: {limits: {memory: '134217728'}}", want: "120795955"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := []corev1.EnvVar{{Name: "GOMEMLIMIT", Value: tt.want}}
			if diff := cmp.Diff(want, container(t, tt.values).Env); diff != "" {
				t.Errorf("environment (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("no limit", func(t *testing.T) {
		if env := container(t, "resources: {limits: null}").Env; len(env) > 0 {
			t.Errorf("environment = %v, want none", env)
		}
	})
}
