package charttest

import (
	"strings"
	"testing"
)

// notes returns what Helm prints after an installation.
func notes(t *testing.T, sets ...string) string {
	t.Helper()
	args := []string{"install", release, chart, "--namespace=" + namespace, "--dry-run=client"}
	for _, set := range sets {
		args = append(args, "--set", set)
	}
	out, err := helm(t, "", args...)
	if err != nil {
		t.Fatalf("helm install --dry-run: %v", err)
	}
	_, text, found := strings.Cut(string(out), "NOTES:\n")
	if !found {
		t.Fatalf("helm install prints no notes:\n%s", out)
	}
	return text
}

func TestNotesSayWhatToDoNext(t *testing.T) {
	tests := []struct {
		name string
		sets []string
		says []string
	}{
		{
			name: "defaults",
			says: []string{
				"pods of every namespace",
				"eureka.client.serviceUrl.defaultZone=http://shop-registry-eurekube.platform.svc:8761/eureka/\n",
				"kubectl label pod POD eurekube.io/service=NAME",
				"curl http://localhost:8761/eureka/apps",
			},
		},
		{
			name: "TLS",
			sets: []string{"tls.secretName=cert"},
			says: []string{"defaultZone=https://shop-registry-eurekube.platform.svc:8761/eureka/", "curl -k https://localhost:8761/eureka/apps"},
		},
		{name: "self-registration", says: []string{"Applications that register themselves are taken;"}},
		{name: "pods only", sets: []string{"selfRegistration=pods-only"}, says: []string{"Applications that register themselves are taken when they run in a listed pod;"}},
		{name: "no self-registration", sets: []string{"selfRegistration=off"}, says: []string{"eureka.client.register-with-eureka=false\n"}},
		{name: "leases apart", sets: []string{"replicas=3"}, says: []string{"WARNING: there are 3 servers"}},
		{name: "users", sets: []string{"auth.secretName=who"}, says: []string{"one of the users of the Secret who."}},
		{name: "namespaces", sets: []string{"namespaces={a,b}"}, says: []string{"the namespaces a, b."}},
		{name: "own prefix", sets: []string{"labelPrefixes={choerodon.io,example.com}"}, says: []string{"kubectl label pod POD example.com/service=NAME"}},
		{
			name: "Choerodon alone",
			sets: []string{"labelPrefixes={choerodon.io}"},
			says: []string{"choerodon.io/service=NAME choerodon.io/version=VERSION choerodon.io/metrics-port=PORT"},
		},
		{
			name: "roles of somebody else",
			sets: []string{"rbac.create=false"},
			says: []string{"shop-registry-eurekube to list and watch pods"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := notes(t, tt.sets...)
			for _, words := range tt.says {
				if !strings.Contains(text, words) {
					t.Errorf("notes lack %q:\n%s", words, text)
				}
			}
		})
	}
}
