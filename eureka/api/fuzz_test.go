package api

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

// FuzzServeHTTP throws requests at the API: none is a server's error, a refused
// one stores nothing, an answer has no body where clients take none, and every
// body of a 200 is a document that our decoders read.
func FuzzServeHTTP(f *testing.F) {
	seedClients(f)
	for _, seed := range [][4]string{
		{"PUT", "/eureka/apps/A/i1?lastDirtyTimestamp=%zz", "", ""},
		{"PUT", "/eureka/apps/A/i1/status?value=down&value=up", "", ""},
		{"DELETE", "/eureka//v2/apps/a/i1/status;x=1/", "", ""},
		{"PUT", "/eureka/apps/A/i1/metadata?a=%ff&=&&@class=x", "", ""},
		{"POST", "/eureka/apps/FORM", "application/xml", xmlInstance},
		{"POST", "/eureka/peerreplication/batch", "", `{"replicationList":[{"appName":"A","id":"i1","action":"Cancel"},{}]}`},
		{"GET", "/eureka/apps/%2F/%2e%2E", "", ""},
		{"OPTIONS", "*", "", ""},
	} {
		f.Add(seed[0], seed[1], seed[2], []byte(seed[3]))
	}
	f.Fuzz(func(t *testing.T, method, target, contentType string, body []byte) {
		req, err := http.NewRequest(method, "http://localhost"+target, strings.NewReader(string(body)))
		if err != nil {
			t.Skip() // net/http would not let it through
		}
		req.Header.Set("Content-Type", contentType)
		req.Header.Set("Accept", "application/json")
		req.RemoteAddr = "192.0.2.1:1234"
		s := idle(t)
		if err := s.leases.Register(t.Context(), inst("A", "i1"), netip.Addr{}, false); err != nil {
			t.Fatal(err)
		}
		before := s.registry.Version()
		recorder := httptest.NewRecorder()
		s.api.ServeHTTP(recorder, req)
		checkAnswer(t, req, recorder)
		if recorder.Code >= 400 && s.registry.Version() != before {
			t.Errorf("%s %s %q is refused with %d and changes something", method, target, body, recorder.Code)
		}
		checkListed(t, s)
	})
}

// seedClients adds what real clients sent.
func seedClients(f *testing.F) {
	f.Helper()
	files, err := filepath.Glob("testdata/clients/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var recording struct{ Exchanges []sent }
		if err := json.Unmarshal(data, &recording); err != nil {
			f.Fatal(err)
		}
		for i := range recording.Exchanges {
			r := &recording.Exchanges[i].Request
			line := strings.Split(r.Line, " ")
			f.Add(line[0], line[1], "application/json", []byte(r.Body))
		}
	}
}

// idle is an API in whose background nothing runs.
func idle(t testing.TB) *server {
	t.Helper()
	s := &server{registry: registry.New(time.Now)}
	config := Config{Registry: s.registry, MaxBody: maxBody, Self: inst("EUREKUBE", "self"), Snapshot: emptySnapshot(t).Current}
	withLeases(s, &config)
	s.api = New(config)
	return s
}

// emptySnapshot is a publisher that has published an empty list and ended. Reads
// of collections take nothing from a request but names to look up.
func emptySnapshot(t testing.TB) *snapshot.Publisher {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ready := make(chan struct{})
	close(ready)
	p := snapshot.NewPublisher(snapshot.Config{Registry: registry.New(time.Now), Ready: ready, Published: func(uint64) { cancel() }})
	if err := p.Run(klog.NewContext(ctx, klog.TODO().V(9))); err != nil {
		t.Fatal(err)
	}
	return p
}

// checkAnswer wants an answer that clients can take.
func checkAnswer(t *testing.T, req *http.Request, a *httptest.ResponseRecorder) {
	t.Helper()
	contentType := a.Header().Get("Content-Type")
	switch {
	case a.Code >= 500, a.Code >= 300 && a.Code < 400:
		t.Errorf("%s %s = %d", req.Method, req.URL, a.Code)
	case a.Code == 404, a.Code == 405, a.Code == 204, a.Body.Len() == 0:
		if a.Body.Len() != 0 || contentType != "" && req.Method != http.MethodHead {
			t.Errorf("%s %s = %d with Content-Type %q and %q, want nothing", req.Method, req.URL, a.Code, contentType, a.Body)
		}
	case a.Code == 200, a.Code == 409:
		if contentType != codec.JSON.ContentType() || !json.Valid(a.Body.Bytes()) {
			t.Errorf("%s %s = %d, Content-Type %q, no document %q", req.Method, req.URL, a.Code, contentType, a.Body)
		}
	default:
		if reason, ended := strings.CutSuffix(a.Body.String(), "\n"); !ended || strings.ContainsAny(reason, "\r\n") || len(reason) > 2*maxBody {
			t.Errorf("%s %s = %d %q, want one line", req.Method, req.URL, a.Code, reason)
		}
	}
}

// checkListed wants whatever is listed to be served in both forms and read again.
func checkListed(t *testing.T, s *server) {
	t.Helper()
	for _, app := range s.registry.Drain().Apps {
		for _, i := range app.Instances {
			if i.ID == "" || i.App != app.Name || i.HostName == "" || i.IPAddr == "" || i.VIPAddress == "" || i.DataCenterInfo.Name == "" {
				t.Errorf("listed %+v lacks something", i)
			}
			for _, form := range []codec.Form{codec.JSON, codec.XML} {
				body := form.AppendApplications(nil, &eureka.Applications{Applications: []eureka.Application{{Name: app.Name, Instances: app.Instances}}})
				if _, err := codec.DecodeApplications(form, body); err != nil {
					t.Errorf("%v cannot be read again: %v in %s", form, err, body)
				}
			}
		}
	}
}
