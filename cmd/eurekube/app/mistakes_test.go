package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mistakes are one wrong thing each, on a run that is otherwise in order, and how
// the line that names it begins.
type mistakes []struct {
	name    string
	args    []string
	environ []string
	want    string
}

func (tests mistakes) run(t *testing.T) {
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := append([]string{"serve", "--manifests=" + t.TempDir()}, tt.args...)
			code, stdout, stderr := runMain(t, args, tt.environ)
			if code != 2 || stdout != "" {
				t.Errorf("exit code %d and %q on stdout, want 2 and nothing", code, stdout)
			}
			if !strings.HasPrefix(stderr, "eurekube: "+tt.want) || strings.Count(stderr, "\n") != 1 {
				t.Errorf("stderr is %q, want one line that starts with %q", stderr, tt.want)
			}
		})
	}
}

func TestMain_MistakesOfWords(t *testing.T) {
	mistakes{
		{name: "word", args: []string{"--unready=maybe"}, want: `--unready=maybe: must be omit or down`},
		{name: "word in the environment", environ: []string{"EUREKUBE_IP_FAMILY=ipv5"}, want: `EUREKUBE_IP_FAMILY=ipv5: must be auto, ipv4 or ipv6`},
		{name: "duration without unit", args: []string{"--drain", "5"}, want: `--drain=5: must be a duration like "30s"`},
		{name: "flag without its value", args: []string{"--drain"}, want: "flag needs an argument: --drain"},
		{name: "unknown flag", args: []string{"--drian=5s"}, want: "--drian=5s: unknown flag; eurekube help serve lists all"},
		{name: "unknown variable", environ: []string{"EUREKUBE_DRIAN=secret"}, want: "EUREKUBE_DRIAN: no flag has this variable; eurekube help serve lists all"},
		{name: "argument", args: []string{"shop"}, want: "shop: unexpected argument"},
	}.run(t)
}

func TestMain_MistakesOfLogFlags(t *testing.T) {
	t.Cleanup(func() { parse(t, []string{"--log-file-max-size=1800"}, nil) }) // klog's state is global, and what is no number sets it to 0
	mistakes{
		{name: "log level", args: []string{"--v=loud"}, want: "--v=loud: must be a whole number, such as 2"},
		{name: "log level in the environment", environ: []string{"EUREKUBE_V=x"}, want: "EUREKUBE_V=x: must be a whole number, such as 2"},
		{name: "log level that no number holds", args: []string{"-v99999999999"}, want: "--v=99999999999: must be a whole number, such as 2"},
		{name: "severity", args: []string{"--stderrthreshold=loud"}, want: "--stderrthreshold=loud: must be INFO, WARNING, ERROR, FATAL or a number"},
		{name: "switch of the log", environ: []string{"EUREKUBE_ONE_OUTPUT=maybe"}, want: "EUREKUBE_ONE_OUTPUT=maybe: must be true or false"},
		{name: "size of log files", args: []string{"--log_file_max_size=-1"}, want: "--log-file-max-size=-1: must be a whole number of megabytes"},
		{name: "log of one file", args: []string{"--vmodule=x"}, want: "--vmodule=x: syntax error: expect comma-separated list of filename=N"},
	}.run(t)
}

func TestMain_MistakesOfServing(t *testing.T) {
	mistakes{
		{name: "holdoff over its ceiling", args: []string{"--publish-holdoff=5s", "--publish-max-holdoff=2s"}, want: "--publish-holdoff=5s is longer than --publish-max-holdoff=2s"},
		{name: "holdoff over its default ceiling", environ: []string{"EUREKUBE_PUBLISH_HOLDOFF=5s"}, want: "EUREKUBE_PUBLISH_HOLDOFF=5s is longer than --publish-max-holdoff=200ms"},
		{name: "negative holdoff", args: []string{"--publish-holdoff=-1ms"}, want: "--publish-holdoff=-1ms is shorter than 0s"},
		{name: "negative drain", args: []string{"--drain=-1s"}, want: "--drain=-1s is shorter than 0s"},
		{name: "no header timeout", args: []string{"--header-timeout=0"}, want: "--header-timeout=0s is shorter than 1ms"},
		{name: "no write timeout", args: []string{"--write-timeout=0"}, want: "--write-timeout=0s is shorter than 1ms"},
		{name: "idle timeout of the clients", args: []string{"--idle-timeout=45s"}, want: "--idle-timeout=45s is shorter than 46s: clients keep connections for 45s and lose a request on one that the server closed first"},
		{name: "namespace", args: []string{"--namespaces=shop,Shop"}, want: `--namespaces=shop,Shop: "Shop": a lowercase RFC 1123 label must consist`},
		{name: "namespace twice", environ: []string{"REGISTER_SERVICE_NAMESPACE=shop,shop"}, want: `REGISTER_SERVICE_NAMESPACE=shop,shop: "shop" is there twice`},
		{name: "prefix with its slash", args: []string{"--label-prefix=eurekube.io/"}, want: `--label-prefix=eurekube.io/: "eurekube.io/": a lowercase RFC 1123 subdomain must consist`},
		{name: "no prefix", args: []string{"--label-prefix="}, want: "--label-prefix=: without a prefix no pod can opt in"},
		{name: "address without port", args: []string{"--listen=localhost"}, want: "--listen=localhost: is not host:port, such as :8761"},
		{name: "port out of range", args: []string{"--admin-listen=:65536"}, want: `--admin-listen=:65536: port "65536" is not a number from 0 to 65535`},
		{name: "same address", args: []string{"--listen=:8081"}, want: "--listen=:8081 and --admin-listen=:8081 are the same address"},
		{name: "same port on all addresses and on one", args: []string{"--listen=0.0.0.0:9000", "--admin-listen=127.0.0.1:9000"}, want: "--listen=0.0.0.0:9000 and --admin-listen=127.0.0.1:9000 are the same address"},
		{name: "Events", args: []string{"--pod-events=yes"}, want: `--pod-events=yes: must be none, unlisted or all`},
	}.run(t)
}

func TestMain_MistakesOfFiles(t *testing.T) {
	dir := t.TempDir()
	userless := filepath.Join(dir, "users")
	if err := os.WriteFile(userless, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	mistakes{
		{name: "certificate without key", args: []string{"--tls-cert=a.crt"}, want: "--tls-cert=a.crt needs --tls-key"},
		{name: "key without certificate", args: []string{"--tls-key=a.key"}, want: "--tls-key=a.key needs --tls-cert"},
		{name: "certificate not there", args: []string{"--tls-cert=none.crt", "--tls-key=none.key"}, want: "--tls-cert=none.crt with --tls-key=none.key: open none.crt: no such file or directory"},
		{name: "users not there", args: []string{"--auth-file=none"}, want: "--auth-file=none: read users: open none: no such file or directory"},
		{name: "users that cannot be read", args: []string{"--auth-file=" + userless}, want: "--auth-file=" + userless + ": users of " + userless + ": line 1: no colon between user and password"},
		{name: "closed reads without users", args: []string{"--auth-reads"}, want: "--auth-reads=true needs --auth-file"},
		{name: "kubeconfig not there", args: []string{"--kubeconfig=none.yaml"}, want: "--kubeconfig=none.yaml: stat none.yaml: no such file or directory"},
		{name: "manifests not there", args: []string{"--manifests=" + dir + "/none"}, want: "--manifests=" + dir + "/none: open " + dir + "/none: no such file or directory"},
	}.run(t)
}

func TestMain_MistakesOfSelfRegistration(t *testing.T) {
	mistakes{
		{name: "mode", args: []string{"--self-registration=pods"}, want: `--self-registration=pods: must be on, pods-only or off`},
		{name: "share in percent", args: []string{"--self-preservation-threshold=85"}, want: "--self-preservation-threshold=85 is not from 0 to 1"},
		{name: "share that is no number", environ: []string{"EUREKUBE_SELF_PRESERVATION_THRESHOLD=NaN"}, want: "EUREKUBE_SELF_PRESERVATION_THRESHOLD=NaN is not from 0 to 1"},
		{name: "negative ceiling", args: []string{"--self-preservation-ceiling=-1s"}, want: "--self-preservation-ceiling=-1s is shorter than 0s; --self-preservation-threshold=0 switches it off"},
		{name: "size in other units", args: []string{"--max-body=1MB"}, want: "--max-body=1MB: must be a size like 1Mi"},
		{name: "size of a fraction", args: []string{"--max-body=0.5"}, want: "--max-body=0.5: must be a whole number of bytes"},
		{name: "no body", args: []string{"--max-body=0"}, want: "--max-body=0 is less than 1Ki: no registration fits"},
		{name: "ConfigMap's name", args: []string{"--overrides-configmap=Overrides"}, want: `--overrides-configmap=Overrides: name "Overrides": a lowercase RFC 1123 subdomain must consist`},
		{name: "ConfigMap's namespace", args: []string{"--overrides-configmap=/overrides"}, want: `--overrides-configmap=/overrides: namespace "": a lowercase RFC 1123 label must consist`},
	}.run(t)
}

func TestMain_MistakesOfBridges(t *testing.T) {
	mistakes{
		{name: "bridge", args: []string{"--bridge=geerpc,gRPC"}, want: `--bridge=geerpc,gRPC: "gRPC": there is no such bridge; there is geerpc, callback`},
		{name: "bridge twice", args: []string{"--bridge=geerpc", "--bridge=geerpc"}, want: `--bridge=geerpc,geerpc: "geerpc" is there twice`},
		{name: "application of GeeRPC servers", args: []string{"--bridge=geerpc", "--geerpc-app=a/b"}, want: "--geerpc-app=a/b is not a name of letters, digits, hyphens, dots and underscores"},
		{name: "no application of GeeRPC servers", args: []string{"--bridge=geerpc", "--geerpc-app="}, want: "--geerpc-app= is not a name of letters, digits, hyphens, dots and underscores"},
		{name: "negative life of GeeRPC servers", args: []string{"--bridge=geerpc", "--geerpc-ttl=-1s"}, want: "--geerpc-ttl=-1s is shorter than 0s, which is for ever"},
		{name: "life of GeeRPC servers in parts of a second", args: []string{"--bridge=geerpc", "--geerpc-ttl=1500ms"}, want: "--geerpc-ttl=1.5s is not in whole seconds, which leases are counted in"},
		{name: "life of GeeRPC servers that no lease has", args: []string{"--bridge=geerpc", "--geerpc-ttl=600000h"}, want: "--geerpc-ttl=600000h0m0s is longer than a lease can be; 0 is for ever"},
		{name: "range of the callback bridge", args: []string{"--bridge=callback", "--callback-targets=10.0.0.0"}, want: `--callback-targets=10.0.0.0: "10.0.0.0" is no range such as 10.0.0.0/8`},
		{name: "mapped range of the callback bridge", args: []string{"--bridge=callback", "--callback-targets=::ffff:10.0.0.0/104"}, want: `--callback-targets=::ffff:10.0.0.0/104: "::ffff:10.0.0.0/104" is a range of IPv4: write it so`},
		{name: "no range of the callback bridge", args: []string{"--bridge=callback", "--callback-targets="}, want: "--callback-targets=: without a range nothing can be called"},
		{name: "address of the callback bridge", args: []string{"--bridge=callback", "--callback-listen=3000"}, want: "--callback-listen=3000: is not host:port, such as :8761"},
		{name: "taken address of the callback bridge", args: []string{"--bridge=callback", "--callback-listen=:8081"}, want: "--admin-listen=:8081 and --callback-listen=:8081 are the same address"},
		{name: "flag of a bridge that is off", args: []string{"--bridge=callback", "--geerpc-ttl=5m"}, want: "--geerpc-ttl=5m0s needs --bridge=geerpc"},
		{name: "variable of a bridge that is off", environ: []string{"EUREKUBE_CALLBACK_TARGETS=10.0.0.0/8"}, want: "EUREKUBE_CALLBACK_TARGETS=10.0.0.0/8 needs --bridge=callback"},
	}.run(t)
}

// TestMain_AllMistakesAtOnce has one of each kind: of the flags, of the
// environment, of single values and of values together.
func TestMain_AllMistakesAtOnce(t *testing.T) {
	code, _, stderr := runMain(t,
		[]string{"serve", "--drian=5s", "--drain=x", "--publish-holdoff=1s", "--unready=maybe", "now", "--tls-key=a.key"},
		[]string{"EUREKUBE_WRITE_TIMEOUT=soon", "EUREKUBE_IDLE_TIMEOUT=1s", "EUREKUBE_COLOUR=red"})
	want := []string{
		"--drain=x: ",
		"--unready=maybe: ",
		"--drian=5s: unknown flag",
		"now: unexpected argument",
		"EUREKUBE_WRITE_TIMEOUT=soon: ",
		"EUREKUBE_COLOUR: no flag",
		"--publish-holdoff=1s is longer than --publish-max-holdoff=200ms",
		"EUREKUBE_IDLE_TIMEOUT=1s is shorter than 46s",
		"--tls-key=a.key needs --tls-cert",
	}
	if code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
	got := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	for i, line := range got {
		line = strings.TrimPrefix(line, "eurekube: ")
		if i < len(want) && strings.HasPrefix(line, want[i]) {
			line = want[i]
		}
		got[i] = line
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mistakes (-want +got):\n%s", diff)
	}
}
