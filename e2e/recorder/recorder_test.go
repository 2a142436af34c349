package recorder_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"github.com/eurekube/eurekube/e2e/recorder"
	"github.com/eurekube/eurekube/e2e/suite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start starts a recorder in front of handler.
func start(t *testing.T, handler http.HandlerFunc) *recorder.Proxy {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	proxy, err := recorder.Start(t.Context(), "127.0.0.1:0", server.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := proxy.Close(); err != nil {
			t.Error(err)
		}
	})
	return proxy
}

// request sends a request that asks for nothing that it does not name.
func request(ctx context.Context, t *testing.T, proxy *recorder.Proxy, method, uri, body string, header http.Header) (*http.Response, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, method, "http://"+proxy.Address()+uri, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = header
	client := &http.Client{Transport: &http.Transport{DisableCompression: true, DisableKeepAlives: true}}
	return client.Do(request)
}

func TestProxy_ChangesNothing(t *testing.T) {
	type seen struct {
		Method, URI, Host, Body string
		Header                  http.Header
	}
	var got seen
	proxy := start(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = seen{r.Method, r.RequestURI, r.Host, string(body), r.Header.Clone()}
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(http.StatusAccepted)
		zipped := gzip.NewWriter(w)
		_, _ = io.WriteString(zipped, "answer")
		_ = zipped.Close()
	})
	header := http.Header{"Accept-Encoding": {"gzip"}, "User-Agent": {"a client"}, "Authorization": {"Basic dTpw"}}
	response, err := request(t.Context(), t, proxy, http.MethodPut, "/eureka//apps/A%2FB?value=UP&x", "body", header)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	unzipped, err := gzip.NewReader(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(unzipped)
	if err != nil || string(answer) != "answer" || response.StatusCode != http.StatusAccepted {
		t.Errorf("the answer is %d %q, %v, want 202 and what the server said", response.StatusCode, answer, err)
	}
	want := seen{http.MethodPut, "/eureka//apps/A%2FB?value=UP&x", proxy.Address(), "body", header.Clone()}
	want.Header.Set("Content-Length", "4")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the server was asked (-want +got):\n%s", diff)
	}
}

func TestProxy_Records(t *testing.T) {
	proxy := start(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			w.Header().Set("X-Word", "no")
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = io.WriteString(w, "answer")
	})
	for _, method := range []string{http.MethodGet, http.MethodPut} {
		response, err := request(t.Context(), t, proxy, method, "/apps?x=1", "12345", http.Header{"Accept": {"x/y"}})
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	ignored := cmp.Options{
		cmpopts.IgnoreFields(recorder.Exchange{}, "At"),
		cmpopts.IgnoreMapEntries(func(key string, _ []string) bool { return key != "Accept" && key != "X-Word" }),
	}
	want := []recorder.Exchange{
		{
			Method: http.MethodGet, URI: "/apps?x=1", Request: http.Header{"Accept": {"x/y"}}, RequestBytes: 5,
			Status: http.StatusOK, Response: http.Header{}, ResponseBytes: 6,
		},
		{
			Method: http.MethodPut, URI: "/apps?x=1", Request: http.Header{"Accept": {"x/y"}}, RequestBytes: 5,
			Status: http.StatusNotFound, Response: http.Header{"X-Word": {"no"}},
		},
	}
	if diff := cmp.Diff(want, proxy.Exchanges(), ignored); diff != "" {
		t.Errorf("recorded (-want +got):\n%s", diff)
	}
}

func TestProxy_Fails(t *testing.T) {
	for _, test := range []struct {
		name   string
		fault  recorder.Fault
		status int   // of the answer; 0: there is none
		err    error // which the client sees
	}{
		{name: "not at all", fault: recorder.None, status: http.StatusOK},
		{name: "503", fault: recorder.Unavailable, status: http.StatusServiceUnavailable},
		{name: "silence", fault: recorder.Hang, err: context.Canceled},
		{name: "cut", fault: recorder.Cut, err: io.EOF},
	} {
		t.Run(test.name, func(t *testing.T) {
			proxy := start(t, func(http.ResponseWriter, *http.Request) {})
			proxy.Fail(test.fault)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if test.fault == recorder.Hang {
				go func() {
					defer cancel()
					for ctx.Err() == nil && proxy.Hanging(http.MethodPut) == 0 {
						time.Sleep(time.Millisecond)
					}
				}()
			}
			response, err := request(ctx, t, proxy, http.MethodPut, "/apps", "body", nil)
			if !errors.Is(err, test.err) {
				t.Errorf("the client sees %v, want %v", err, test.err)
			}
			if err == nil {
				response.Body.Close()
				if response.StatusCode != test.status {
					t.Errorf("the answer is %d, want %d", response.StatusCode, test.status)
				}
			}
			suite.Eventually(t, time.Minute, func() error {
				exchanges := proxy.Exchanges()
				if len(exchanges) != 1 || exchanges[0].Status != test.status {
					return fmt.Errorf("recorded %+v, want one exchange with status %d", exchanges, test.status)
				}
				return nil
			})
		})
	}
}

// A server that hung is killed.
func TestProxy_CutsWhatHangsWhenTheFaultEnds(t *testing.T) {
	proxy := start(t, func(http.ResponseWriter, *http.Request) {})
	proxy.Fail(recorder.Hang)
	seen := make(chan error)
	go func() {
		response, err := request(t.Context(), t, proxy, http.MethodGet, "/apps", "", nil)
		if err == nil {
			response.Body.Close()
		}
		seen <- err
	}()
	suite.Eventually(t, time.Minute, func() error {
		if n := proxy.Hanging(http.MethodGet); n != 1 {
			return fmt.Errorf("%d requests hang, want one", n)
		}
		return nil
	})
	proxy.Fail(recorder.None)
	if err := <-seen; !errors.Is(err, io.EOF) {
		t.Errorf("the client sees %v, want %v", err, io.EOF)
	}
	if n := proxy.Hanging(http.MethodGet); n != 0 {
		t.Errorf("%d requests hang, want none", n)
	}
}

func TestProxy_AnswersNothingForAServerThatIsNotThere(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	proxy, err := recorder.Start(t.Context(), "127.0.0.1:0", gone.URL)
	if err != nil {
		t.Fatal(err)
	}
	if response, err := request(t.Context(), t, proxy, http.MethodGet, "/apps", "", nil); err == nil {
		response.Body.Close()
		t.Errorf("the answer is %d, want none", response.StatusCode)
	}
	if err := proxy.Close(); err != nil {
		t.Error(err)
	}
}

func TestStart_ReportsWhatItCannotUse(t *testing.T) {
	for _, test := range []struct{ name, address, target string }{
		{name: "address", address: "127.0.0.1", target: "http://127.0.0.1:1"},
		{name: "target", address: "127.0.0.1:0", target: "http://[::1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := recorder.Start(t.Context(), test.address, test.target); err == nil {
				t.Error("Start() gave no error")
			}
		})
	}
}
