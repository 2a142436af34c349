package charttest

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// refusals are values, and words that must all be in the message.
type refusals []struct {
	name   string
	values string
	says   []string
}

func (tests refusals) run(t *testing.T) {
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := template(t, tt.values)
			if err == nil {
				t.Fatalf("helm template accepts %q", tt.values)
			}
			for _, words := range tt.says {
				if !strings.Contains(err.Error(), words) {
					t.Errorf("the message lacks %q:\n%v", words, err)
				}
			}
		})
	}
}

func TestWrongValuesAreRefusedWithAReason(t *testing.T) {
	refusals{
		{name: "typing error", values: "replica: 3", says: []string{"additional properties 'replica' not allowed"}},
		{name: "typing error further in", values: "tls: {secret: cert}", says: []string{"/tls", "additional properties 'secret' not allowed"}},
		{name: "no servers", values: "replicas: 0", says: []string{"/replicas", "minimum"}},
		{name: "number as text", values: "replicas: 'two'", says: []string{"/replicas", "want null or integer"}},
		{name: "text for a list", values: "namespaces: shop", says: []string{"/namespaces", "want array"}},
		{name: "no name of a namespace", values: "namespaces: [Shop_1]", says: []string{"/namespaces/0", "does not match pattern"}},
		{name: "namespace twice", values: "namespaces: [a, a]", says: []string{"/namespaces", "items at 0 and 1 are equal"}},
		{name: "no label prefix", values: "labelPrefixes: []", says: []string{"/labelPrefixes", "minItems"}},
		{name: "unknown word", values: "unready: hide", says: []string{"/unready", "'omit', 'down'"}},
		{name: "unknown family", values: "ipFamily: IPv6", says: []string{"/ipFamily", "'auto', 'ipv4', 'ipv6'"}},
		{name: "unknown Events", values: "podEvents: warnings", says: []string{"/podEvents", "'none', 'unlisted', 'all'"}},
		{name: "duration without unit", values: "writeTimeout: 60", says: []string{"/writeTimeout", "want string"}},
		{name: "duration in days", values: "idleTimeout: 1d", says: []string{"/idleTimeout", "does not match pattern"}},
		{name: "drain not in seconds", values: "drain: 1m", says: []string{"/drain", "does not match pattern"}},
		{name: "memory that GOMEMLIMIT cannot be made of", values: "resources: {limits: {memory: 0.5Gi}}", says: []string{"/resources/limits/memory"}},
		{name: "service type", values: "service: {type: ExternalName}", says: []string{"/service/type", "'ClusterIP'"}},
		{name: "unknown mode", values: "selfRegistration: pods", says: []string{"/selfRegistration", "'on', 'pods-only', 'off'"}},
		{name: "share in percent", values: "selfPreservationThreshold: 85", says: []string{"/selfPreservationThreshold", "maximum"}},
		{name: "size as a number", values: "maxBody: 1048576", says: []string{"/maxBody", "want string"}},
		{name: "unknown bridge", values: "bridge: {grpc: {enabled: true}}", says: []string{"/bridge", "additional properties 'grpc' not allowed"}},
		{name: "life of GeeRPC servers in parts of a second", values: "bridge: {geerpc: {ttl: 1.5s}}", says: []string{"/bridge/geerpc/ttl", "does not match pattern"}},
		{name: "application of GeeRPC servers", values: "bridge: {geerpc: {app: a/b}}", says: []string{"/bridge/geerpc/app", "does not match pattern"}},
		{name: "range of the callback bridge", values: "bridge: {callback: {targets: [10.1.0.0]}}", says: []string{"/bridge/callback/targets/0", "does not match pattern"}},
		{name: "extra arguments", values: "extraArgs: [--v=5]", says: []string{"additional properties 'extraArgs' not allowed"}},
	}.run(t)
}

func TestValuesThatContradictEachOtherAreRefusedWithAReason(t *testing.T) {
	refusals{
		{
			name:   "account of nobody",
			values: "serviceAccount: {create: false}",
			says:   []string{"serviceAccount.name must be given when serviceAccount.create is false"},
		},
		{
			name:   "reads for nobody",
			values: "auth: {reads: true}",
			says:   []string{"auth.secretName must name the users when auth.reads is true"},
		},
		{
			name:   "Prometheus shut out",
			values: "{serviceMonitor: {enabled: true}, networkPolicy: {enabled: true}}",
			says:   []string{"networkPolicy.adminFrom must name Prometheus when serviceMonitor.enabled is true"},
		},
	}.run(t)
}

func TestChartCanBeADependency(t *testing.T) {
	// Helm hands the parent's global values down.
	render(t, "global: {imageRegistry: registry.example}")
}

// schema is the part of JSON Schema that tells which values there are.
type schema struct {
	Properties           map[string]schema `json:"properties"`
	AdditionalProperties any               `json:"additionalProperties"`
}

func TestSchemaKnowsExactlyTheValues(t *testing.T) {
	var known schema
	read(t, chart+"/values.schema.json", json.Unmarshal, &known)
	delete(known.Properties, "global")
	var values map[string]any
	read(t, chart+"/values.yaml", func(text []byte, into any) error { return yaml.Unmarshal(text, into) }, &values)
	compareKeys(t, "", known, values)
}

func compareKeys(t *testing.T, path string, known schema, values map[string]any) {
	t.Helper()
	if known.AdditionalProperties != false {
		t.Errorf("the schema lets any key pass at %q", path)
	}
	want, got := slices.Sorted(maps.Keys(values)), slices.Sorted(maps.Keys(known.Properties))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys at %q (-values +schema):\n%s", path, diff)
	}
	for key, value := range values {
		nested, isMap := value.(map[string]any)
		if isMap && len(known.Properties[key].Properties) > 0 && key != "resources" {
			compareKeys(t, path+"/"+key, known.Properties[key], nested)
		}
	}
}

func read(t *testing.T, file string, unmarshal func([]byte, any) error, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
