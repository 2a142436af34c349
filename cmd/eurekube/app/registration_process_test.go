package app

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// TestServe_ReadsShowARegistrationOnceItIsAnswered registers and reads in turn,
// without a pause in between, as a client does that fetches right after its
// registration.
func TestServe_ReadsShowARegistrationOnceItIsAnswered(t *testing.T) {
	p := launch(t, "--manifests", manifests(t))
	client := newClient(t)
	want := make(map[string]eureka.Status)
	register := func(id string, status eureka.Status, dirty int) {
		t.Helper()
		p.register(client, id, status, dirty)
		want[id] = status
	}
	for n := range 50 {
		first, second := fmt.Sprint("a", n), fmt.Sprint("b", n)
		register(first, eureka.StatusUp, 1000)
		register(second, eureka.StatusUp, 1000)
		p.wantStatuses(client, want, "after two registrations", first, second)
		if resp, _ := p.do(client, http.MethodPut, fmt.Sprintf("%s/eureka/apps/WEB/%s/metadata?round=%d", p.clients, first, n)); resp.StatusCode != http.StatusOK {
			t.Fatalf("metadata update of %s = %d", first, resp.StatusCode)
		}
		register(first, eureka.StatusDown, 2000)
		p.wantStatuses(client, want, "after it registered anew", first)
	}
}

// register registers an instance of WEB, whose lease outlasts any test.
func (p *process) register(client *http.Client, id string, status eureka.Status, dirty int) {
	p.Helper()
	body := fmt.Sprintf(`{"instance":{"instanceId":%q,"hostName":"n1","app":"WEB","ipAddr":"10.0.0.9","status":%q,"port":{"$":80,"@enabled":"true"},
"vipAddress":"web","dataCenterInfo":{"name":"MyOwn"},"leaseInfo":{"durationInSecs":3600},"lastDirtyTimestamp":"%d"}}`, id, status, dirty)
	req, err := http.NewRequestWithContext(p.Context(), http.MethodPost, p.clients+"/eureka/apps/WEB", strings.NewReader(body))
	if err != nil {
		p.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		p.Fatal(err)
	}
	defer resp.Body.Close()
	if text, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusNoContent {
		p.Fatalf("registration of %s = %d %q, %v; want 204", id, resp.StatusCode, text, err)
	}
}

// wantStatuses wants all collections to list just these instances; the delta, which
// forgets, at least those that changed just now.
func (p *process) wantStatuses(client *http.Client, want map[string]eureka.Status, when string, changed ...string) {
	p.Helper()
	for _, path := range []string{"/eureka/apps", "/eureka/vips/web", "/eureka/apps/delta"} {
		_, body := p.do(client, http.MethodGet, p.clients+path, asJSON)
		all, err := codec.DecodeApplications(codec.JSON, []byte(body))
		if err != nil {
			p.Fatalf("GET %s: %v in %s", path, err, body)
		}
		got := make(map[string]eureka.Status)
		for _, app := range all.Applications {
			for _, inst := range app.Instances {
				got[inst.ID] = inst.Status
			}
		}
		missing := maps.Clone(want)
		if strings.HasSuffix(path, "/delta") {
			maps.DeleteFunc(missing, func(id string, _ eureka.Status) bool { return !slices.Contains(changed, id) })
		}
		for id, status := range got {
			if status != want[id] {
				p.Errorf("%s GET %s shows %s as %s, want %s", when, path, id, status, want[id])
			}
			delete(missing, id)
		}
		if len(missing) > 0 {
			p.Errorf("%s GET %s does not show %v", when, path, slices.Sorted(maps.Keys(missing)))
		}
	}
}
