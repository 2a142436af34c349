package api

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/registry"
)

func TestFieldCase25_NotFoundHasNoBody(t *testing.T) {
	s := start(t, inst("ORDERS", "i1"))
	tests := []struct{ method, path string }{
		{"GET", "/eureka/apps/NOPE"},
		{"GET", "/eureka/apps/NOPE/x"},
		{"GET", "/eureka/apps/ORDERS/x"},
		{"GET", "/eureka/v2/instances/x"},
		{"GET", "/eureka/nonsense"},
		{"GET", "/eureka"},
		{"GET", "/"},
		{"GET", "/apps"},
		{"GET", "/eureka/v1/apps"},
		{"PUT", "/eureka/nonsense"},
		{"HEAD", "/eureka/apps/NOPE"},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			a := s.do(tt.method, tt.path, acceptJSON)
			if a.StatusCode != http.StatusNotFound || a.ContentLength > 0 || len(a.raw) != 0 || a.Header.Get("Content-Type") != "" {
				t.Errorf("answer = %d, Content-Length %d, Content-Type %q, body %q; want 404 and nothing else", a.StatusCode, a.ContentLength, a.Header.Get("Content-Type"), a.raw)
			}
		})
	}
}

func TestFieldCases30_31_32_EverySpellingOfAPath(t *testing.T) {
	s := start(t, inst("ORDERS", "i1"))
	groups := map[string][]string{
		"apps":     {"/eureka/apps", "/eureka/apps/", "//eureka/apps", "/eureka//apps//", "/eureka/v2/apps", "/eureka/v2//apps/", "/eureka/%61pps", "/eureka/apps;x=1"},
		"delta":    {"/eureka/apps/delta", "/eureka/apps/delta/", "/eureka/apps//delta", "/eureka/v2/apps/delta"},
		"app":      {"/eureka/apps/ORDERS", "/eureka/apps/ORDERS/", "/eureka/apps/orders", "/eureka/apps/oRdErS", "/eureka/v2/apps/orders/"},
		"instance": {"/eureka/apps/ORDERS/i1", "/eureka/apps/orders/i1/", "/eureka//apps/ORDERS//i1", "/eureka/v2/apps/ORDERS/%69%31"},
		"vip":      {"/eureka/vips/orders", "/eureka/vips/orders/", "/eureka/v2/vips/orders"},
		"svip":     {"/eureka/svips/orders", "/eureka/v2/svips/orders/"},
		"by id":    {"/eureka/instances/i1", "/eureka/v2/instances/i1/"},
	}
	for name, paths := range groups {
		t.Run(name, func(t *testing.T) {
			first := s.get(paths[0], acceptJSON)
			if first.StatusCode != http.StatusOK || !strings.Contains(first.text, `"i1"`) {
				t.Fatalf("%s = %d %s", paths[0], first.StatusCode, first.text)
			}
			for _, path := range paths[1:] {
				if a := s.get(path, acceptJSON); a.StatusCode != http.StatusOK || a.text != first.text {
					t.Errorf("%s = %d %s, want the answer of %s", path, a.StatusCode, a.text, paths[0])
				}
			}
		})
	}
}

func TestFieldCase33_IdsAreOpaque(t *testing.T) {
	tests := []struct{ id, path string }{
		{"svc#1.2.0", "svc%231.2.0"},
		{"my svc:1", "my%20svc:1"},
		{"my svc:1", "my%20svc%3A1"},
		{"a+b", "a+b"},
		{"a+b", "a%2Bb"},
		{"a%2Bb", "a%252Bb"},
		{"with/slash", "with%2Fslash"},
		{"semi;colon", "semi%3Bcolon"},
		{"host name:odd/slash:é", "host%20name%3Aodd%2Fslash%3A%C3%A9"},
		{"..", "%2E%2E"},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			s := start(t, inst("SVC", tt.id))
			for _, path := range []string{"/eureka/apps/SVC/", "/eureka/v2/instances/"} {
				a := s.get(path+tt.path, acceptJSON)
				if a.StatusCode != http.StatusOK {
					t.Fatalf("GET %s%s = %d, want 200", path, tt.path, a.StatusCode)
				}
				got, err := codec.DecodeInstance(codec.JSON, a.raw)
				if err != nil || got.ID != tt.id {
					t.Errorf("GET %s%s is instance %q, %v; want %q", path, tt.path, got.ID, err, tt.id)
				}
			}
		})
	}
}

// TestAPodIsFoundByTheIDThatItsApplicationRegistered reads one record by both of
// its ids, on both routes.
func TestAPodIsFoundByTheIDThatItsApplicationRegistered(t *testing.T) {
	s := startWrites(t)
	s.change("pod", inst("ORDERS", "10.0.0.5:orders:8080"))
	s.register(registration("ORDERS", "orders-7d9:orders:8080").with(fields{"ipAddr": "10.0.0.5", "hostName": "10.0.0.5"}))
	for _, route := range []string{"/eureka/apps/ORDERS/", "/eureka/instances/", "/eureka/v2/instances/"} {
		for _, id := range []string{"10.0.0.5:orders:8080", "orders-7d9:orders:8080"} {
			if got := s.instance(route + id).ID; got != "10.0.0.5:orders:8080" {
				t.Errorf("GET %s%s is instance %q, want the pod's", route, id, got)
			}
		}
	}
	s.change("pod")
	s.wantEmpty(s.get("/eureka/instances/orders-7d9:orders:8080"), http.StatusNotFound)
}

func TestFieldCase36_ApplicationsAreFoundInAnyCase(t *testing.T) {
	s := start(t, inst("ORDERS", "i1"), inst("ORDERS", "i2"))
	for _, name := range []string{"orders", "ORDERS", "oRdErS"} {
		if a := s.get("/eureka/apps/"+name, acceptJSON); strings.Count(a.text, `"instanceId"`) != 2 {
			t.Errorf("%s = %s, want both instances", name, a.text)
		}
	}
	if a := s.get("/eureka/apps/orders/I1", acceptJSON); a.StatusCode != http.StatusNotFound {
		t.Errorf("an id in another case = %d, want 404", a.StatusCode)
	}
}

func TestFieldCase65_NothingIsAnsweredBeforeTheFirstCompleteList(t *testing.T) {
	s := startUnready(t)
	s.registry.Replace(registry.OwnerPod, "a", registry.Listed(inst("ORDERS", "i1")))
	paths := []string{"/eureka/apps", "/eureka/apps/delta", "/eureka/apps/ORDERS", "/eureka/apps/ORDERS/i1", "/eureka/instances/i1", "/eureka/vips/orders", "/eureka/svips/orders", "/eureka/v2/status"}
	for _, path := range paths {
		if a := s.get(path, acceptJSON); a.StatusCode != http.StatusServiceUnavailable || len(a.raw) != 0 {
			t.Errorf("GET %s = %d %q, want an empty 503", path, a.StatusCode, a.raw)
		}
	}
	s.open()
	for _, path := range paths {
		if a := s.get(path, acceptJSON); a.StatusCode != http.StatusOK {
			t.Errorf("GET %s = %d after the first list, want 200", path, a.StatusCode)
		}
	}
}

func TestFieldCase43_DeltaAndFullListCarryOneHash(t *testing.T) {
	s := start(t, inst("ORDERS", "i1"), inst("ORDERS", "i2"))
	check := func(hash string) {
		t.Helper()
		for _, path := range []string{"/eureka/apps", "/eureka/apps/delta"} {
			for _, form := range []codec.Form{codec.JSON, codec.XML} {
				apps, err := codec.DecodeApplications(form, s.get(path, "Accept: "+form.ContentType()).raw)
				if err != nil || apps.AppsHashCode != hash {
					t.Errorf("GET %s in %v: hash %q, %v; want %q", path, form, apps.AppsHashCode, err, hash)
				}
			}
		}
	}
	check("UP_2_")
	s.change("third", inst("ORDERS", "i3"))
	check("UP_3_")
	if delta := s.get("/eureka/apps/delta", acceptJSON).text; !strings.Contains(delta, `"instanceId":"i3"`) || !strings.Contains(delta, `"actionType":"ADDED"`) {
		t.Errorf("delta = %s, want i3 ADDED", delta)
	}
}

func TestFieldCase44_HashCountsEveryStatus(t *testing.T) {
	down, out := inst("A", "3"), inst("B", "4")
	down.Status, out.Status = eureka.StatusDown, eureka.StatusOutOfService
	s := start(t, inst("A", "1"), inst("A", "2"), down, out)
	if a := s.get("/eureka/apps", acceptJSON); !strings.Contains(a.text, `"apps__hashcode":"DOWN_1_OUT_OF_SERVICE_1_UP_2_"`) {
		t.Errorf("answer = %.200s, want hash DOWN_1_OUT_OF_SERVICE_1_UP_2_", a.text)
	}
}

func TestFieldCase50_ApplicationsEndWithTheirLastInstance(t *testing.T) {
	s := start(t, inst("ORDERS", "i1"))
	s.change("c", inst("CART", "c1"))
	s.change("c")
	if a := s.get("/eureka/apps", acceptJSON); strings.Contains(a.text, "CART") {
		t.Errorf("full list = %s, want no CART", a.text)
	}
	if a := s.get("/eureka/apps/CART", acceptJSON); a.StatusCode != http.StatusNotFound {
		t.Errorf("GET apps/CART = %d, want 404", a.StatusCode)
	}
	delta, err := codec.DecodeApplications(codec.JSON, s.get("/eureka/apps/delta", acceptJSON).raw)
	if err != nil {
		t.Fatal(err)
	}
	for _, app := range delta.Applications {
		if app.Name == "CART" && len(app.Instances) == 1 && app.Instances[0].ActionType == eureka.ActionDeleted {
			return
		}
	}
	t.Errorf("delta = %+v, want CART with one DELETED", delta.Applications)
}

func TestFieldCase1_AnEmptyRegistryIsAnEmptyList(t *testing.T) {
	s := start(t)
	var doc struct {
		Applications map[string]any `json:"applications"`
	}
	if err := json.Unmarshal(s.get("/eureka/apps", acceptJSON).raw, &doc); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{}, doc.Applications["application"]); diff != "" {
		t.Errorf("application (-want +got):\n%s", diff)
	}
	if doc.Applications["apps__hashcode"] != "" {
		t.Errorf("apps__hashcode = %v, want the empty string", doc.Applications["apps__hashcode"])
	}
	version, _ := doc.Applications["versions__delta"].(string)
	if _, err := strconv.ParseInt(version, 10, 64); err != nil {
		t.Errorf("versions__delta = %v, want a string that holds an integer", doc.Applications["versions__delta"])
	}
}
