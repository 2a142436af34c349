package app

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/spf13/pflag"

	"github.com/eurekube/eurekube/convertor"
)

func parse(t *testing.T, args, environ []string) *Options {
	t.Helper()
	o := NewOptions()
	if err := o.Parse(args, environ); err != nil {
		t.Fatalf("Parse(%q, %q) = %v", args, environ, err)
	}
	return o
}

// parses are arguments and variables, and what differs from the defaults after them.
type parses []struct {
	name    string
	args    []string
	environ []string
	want    func(*Options)
}

func (tests parses) run(t *testing.T) {
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

func TestParse(t *testing.T) {
	parses{
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
	}.run(t)
}

func TestParse_Environment(t *testing.T) {
	parses{
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
	}.run(t)
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
