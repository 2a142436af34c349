package geerpc

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

// TestListFollowsChanges changes instances of a few applications at random: in and
// out of the list, in and out of the registry. What was kept of earlier versions
// never shows.
func TestListFollowsChanges(t *testing.T) {
	r, random := start(t), rand.New(rand.NewPCG(1, 2))
	var kept list
	for range 200 {
		app, id := fmt.Sprint("APP", random.IntN(3)), fmt.Sprint("i", random.IntN(4))
		var claims []registry.Claim
		if said := []string{"gone", "", "tcp", "http", "tcp@shared:1"}[random.IntN(5)]; said != "gone" {
			claims = append(claims, registry.Listed(&eureka.Instance{
				App: app, ID: id, HostName: id, Status: eureka.StatusUp, Port: eureka.Port{Number: 80, Enabled: true},
				Metadata: map[string]string{metadataServer: said},
			}))
		}
		r.config.Registry.Replace(registry.OwnerPod, app+"/"+id, claims...)
		r.shown(t.Context())
		s := r.config.Snapshot()
		got, err := kept.of(s)
		want, anew := new(list).of(s)
		if got != want || err != nil || anew != nil {
			t.Fatalf("list = %q, %v after a change, want %q, %v", got, err, want, anew)
		}
	}
}

// TestListKeepsWhatDidNotChange holds what a list costs while pods come and go that
// have nothing to do with GeeRPC.
func TestListKeepsWhatDidNotChange(t *testing.T) {
	r := start(t)
	r.config.Registry.Replace(registry.OwnerPod, "a", registry.Listed(&eureka.Instance{App: "A", ID: "a", Status: eureka.StatusUp}))
	r.post(t.Context(), address(1))
	r.settle(t.Context(), 2)
	r.get(t.Context())
	before := r.list.byApp
	r.config.Registry.Replace(registry.OwnerPod, "b", registry.Listed(&eureka.Instance{App: "B", ID: "b", Status: eureka.StatusUp}))
	r.settle(t.Context(), 3)
	r.get(t.Context())
	for app := range before {
		if _, same := r.list.byApp[app]; !same {
			t.Errorf("%s was looked through again, though only B changed", app.Name)
		}
	}
	if len(r.list.byApp) != 3 {
		t.Errorf("%d applications are kept, want those of the latest version, 3", len(r.list.byApp))
	}
}

// longServer is one of the longest that may be posted, with a number.
func longServer(n int) string {
	text := fmt.Sprintf("tcp@n%d%%s.example:9000", n)
	return fmt.Sprintf(text, strings.Repeat("x", maxServer-len(text)+len("%s")))
}

// listLong has so many of the longest servers listed, from first on, as pods would be.
func (r rig) listLong(t *testing.T, first, servers int) {
	t.Helper()
	for n := first; n < first+servers; n++ {
		r.config.Registry.Replace(registry.OwnerPod, fmt.Sprint(n), registry.Listed(&eureka.Instance{
			App: fmt.Sprint("APP", n%100), ID: fmt.Sprint(n), Status: eureka.StatusUp, Metadata: map[string]string{metadataServer: longServer(n)},
		}))
	}
	r.settle(t.Context(), first+servers)
}

// TestListIsReadByGoClients has Go's own client read ten thousand of the longest
// servers, over both versions of HTTP, and then more than it could.
func TestListIsReadByGoClients(t *testing.T) {
	r := start(t)
	servers := map[string]*httptest.Server{}
	for _, version := range []string{"HTTP/1.1", "HTTP/2.0"} {
		server := httptest.NewUnstartedServer(http.HandlerFunc(r.Get))
		server.EnableHTTP2 = version == "HTTP/2.0"
		server.StartTLS()
		defer server.Close()
		servers[version] = server
	}
	read := func(version string) (code, listed int, body string) {
		t.Helper()
		resp, err := servers[version].Client().Get(servers[version].URL)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close() //nolint:errcheck // it was read
		text, err := io.ReadAll(resp.Body)
		if err != nil || resp.Proto != version {
			t.Errorf("%s: %v, want %s", resp.Proto, err, version)
		}
		return resp.StatusCode, strings.Count(resp.Header.Get(headerServers), "@"), string(text)
	}
	const many, tooMany = 10_000, maxList/(maxServer+1) + 1
	r.listLong(t, 0, many)
	for version := range servers {
		if code, listed, _ := read(version); code != http.StatusOK || listed != many {
			t.Errorf("%s: %d with %d servers, want 200 with %d", version, code, listed, many)
		}
	}
	r.listLong(t, many, tooMany-many)
	want := fmt.Sprintf("X-Geerpc-Servers: the list of %d servers has %d bytes, and clients read no more than 8388608 in a header\n", tooMany, tooMany*(maxServer+1))
	for version := range servers {
		if code, listed, body := read(version); code != http.StatusInternalServerError || listed != 0 || body != want {
			t.Errorf("%s: %d %q with %d servers, want 500 %q with none", version, code, body, listed, want)
		}
	}
	r.config.Registry.Replace(registry.OwnerPod, "0")
	r.shown(t.Context())
	if code, _, _ := read("HTTP/1.1"); code != http.StatusOK {
		t.Errorf("%d when there is one less, want 200", code)
	}
}

// TestAFullListTakesNoMorePosts keeps the list readable while strangers post.
func TestAFullListTakesNoMorePosts(t *testing.T) {
	r := start(t)
	if code := r.post(t.Context(), address(1)); code != http.StatusOK {
		t.Fatalf("POST = %d, want 200", code)
	}
	r.listLong(t, 0, maxPosted/(maxServer+1)+1)
	if code := r.post(t.Context(), address(2)); code != http.StatusServiceUnavailable {
		t.Errorf("POST of another server = %d, want 503", code)
	}
	if code := r.post(t.Context(), address(1)); code != http.StatusOK {
		t.Errorf("POST of a server that is listed = %d, want 200", code)
	}
	if list := r.get(t.Context()); !strings.Contains(list, address(1)) {
		t.Error("the list cannot be read any more")
	}
}
