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

// readers are servers of a bridge, by version of HTTP, and Go's own client of each.
type readers map[string]*httptest.Server

func (r rig) readers(t *testing.T) readers {
	all := readers{}
	for _, version := range []string{"HTTP/1.1", "HTTP/2.0"} {
		server := httptest.NewUnstartedServer(http.HandlerFunc(r.Get))
		server.EnableHTTP2 = version == "HTTP/2.0"
		server.StartTLS()
		t.Cleanup(server.Close)
		all[version] = server
	}
	return all
}

// expect has each read so many servers, with this status and body.
func (r readers) expect(t *testing.T, code, servers int, body string) {
	t.Helper()
	for version, server := range r {
		resp, err := server.Client().Get(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close() //nolint:errcheck // it was read
		if err != nil || resp.Proto != version {
			t.Errorf("%s: %v, want %s", resp.Proto, err, version)
		}
		listed := strings.Count(resp.Header.Get(headerServers), "@")
		if resp.StatusCode != code || listed != servers || string(text) != body {
			t.Errorf("%s: %d %q with %d servers, want %d %q with %d", version, resp.StatusCode, text, listed, code, body, servers)
		}
	}
}

// TestLongListsAreReadByGoClients has the list grow until posts are not taken any
// more, and until no client could read it.
func TestLongListsAreReadByGoClients(t *testing.T) {
	r := start(t)
	readers := r.readers(t)
	post := func(server string, want int) {
		t.Helper()
		if code := r.post(t.Context(), server); code != want {
			t.Errorf("POST of %s = %d, want %d", server, code, want)
		}
	}
	const full, tooMany = maxPosted/(maxServer+1) + 1, maxList/(maxServer+1) + 1
	post(longServer(0), http.StatusOK)
	r.listLong(t, 1, full-1)
	post(address(1), http.StatusServiceUnavailable)
	post(longServer(0), http.StatusOK) // it is in the list
	readers.expect(t, http.StatusOK, full, "")

	r.listLong(t, full, tooMany-full)
	post(address(1), http.StatusServiceUnavailable)
	readers.expect(t, http.StatusInternalServerError, 0, fmt.Sprintf(
		"X-Geerpc-Servers: the list of %d servers has %d bytes, and clients read no more than 8388608 in a header\n", tooMany, tooMany*(maxServer+1)))

	r.config.Registry.Replace(registry.OwnerPod, "1")
	r.shown(t.Context())
	readers.expect(t, http.StatusOK, tooMany-1, "")
}
