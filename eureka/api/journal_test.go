package api

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"

	"github.com/eurekube/eurekube/eureka"
)

// listenLogged is listen with a log. lines ends the server, so that every request has
// its line, and returns what the log says at a verbosity, with the values of the given
// keys.
func (s *server) listenLogged(keys ...string) (lines func(verbosity int) []string) {
	logger := ktesting.NewLogger(ktesting.NopTL{}, ktesting.NewConfig(ktesting.BufferLogs(true), ktesting.Verbosity(4)))
	h := httptest.NewUnstartedServer(s.api)
	h.Config.BaseContext = func(net.Listener) context.Context { return klog.NewContext(context.Background(), logger) }
	h.Start()
	s.t.Cleanup(h.Close)
	s.url, s.client = h.URL, h.Client()
	return func(verbosity int) (lines []string) {
		h.Close()
		for _, entry := range logger.GetSink().(ktesting.Underlier).GetBuffer().Data() {
			if entry.Verbosity != verbosity {
				continue
			}
			line := entry.Message
			for _, kv := range [][]any{entry.WithKVList, entry.ParameterKVList} {
				for i := 1; i < len(kv); i += 2 {
					if key := kv[i-1].(string); slices.Contains(keys, key) {
						value := fmt.Sprint(kv[i])
						if key == "remote" {
							value, _, _ = net.SplitHostPort(value)
						}
						line += " " + key + "=" + value
					}
				}
			}
			lines = append(lines, line)
		}
		return lines
	}
}

func wantLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

func TestTheLogSaysWhoTookAnInstanceOut(t *testing.T) {
	s := run(t, withLeases)
	lines := s.listenLogged("app", "instanceID", "status", "pod", "remote", "user", "replica")
	s.open()
	s.change("shop/orders-1/uid", inst("ORDERS", "i1"))
	s.want(s.do("PUT", "/eureka/apps/ORDERS/i1/status?value=OUT_OF_SERVICE", "Authorization: Basic bm9ib2R5OmtuZXc="), http.StatusOK)
	s.want(s.do("DELETE", "/eureka/apps/ORDERS/i1/status"), http.StatusOK)
	s.register(registration("A", "i1"))
	s.register(registration("A", "i1"))
	s.want(s.do("PUT", "/eureka/apps/A/i1?status=UP"), http.StatusOK)
	s.want(s.do("PUT", "/eureka/apps/A/i1?lastDirtyTimestamp=2000&overriddenstatus=DOWN", "x-netflix-discovery-replication: true"), http.StatusNotFound)
	s.want(s.do("DELETE", "/eureka/apps/A/i1"), http.StatusOK)
	s.want(s.do("DELETE", "/eureka/apps/A/i1"), http.StatusNotFound)
	const by = " remote=127.0.0.1"
	wantLines(t, lines(0),
		"Overrode the status of an instance"+by+" app=ORDERS instanceID=i1 status=OUT_OF_SERVICE pod=shop/orders-1/uid",
		"Removed the override of an instance"+by+" app=ORDERS instanceID=i1 pod=shop/orders-1/uid",
		"Registered an instance"+by+" app=A instanceID=i1 status=UP",
		"Overrode the status of an instance"+by+" replica=true app=A instanceID=i1 status=DOWN",
		"Cancelled an instance"+by+" app=A instanceID=i1",
	)
}

func TestTheLogSaysWhoPassesABatchOn(t *testing.T) {
	s := run(t, withLeases)
	lines := s.listenLogged("app", "instanceID", "remote", "replica")
	s.open()
	s.register(registration("A", "i1"))
	s.want(s.send("POST", "/eureka/peerreplication/batch/",
		batch(t, item("StatusUpdate", fields{"status": eureka.StatusDown}), item("Heartbeat", nil), item("Cancel", nil)), contentJSON), http.StatusOK)
	const peer = " remote=127.0.0.1 replica=true app=A instanceID=i1"
	wantLines(t, lines(0),
		"Registered an instance remote=127.0.0.1 app=A instanceID=i1",
		"Overrode the status of an instance"+peer,
		"Cancelled an instance"+peer,
	)
}

// TestTheLogNamesUsersAndNoPasswords also shows passwords where names belong.
func TestTheLogNamesUsersAndNoPasswords(t *testing.T) {
	s := run(t, func(s *server, config *Config) {
		withLeases(s, config)
		config.Users = users(t)
	})
	lines := s.listenLogged("path", "query", "code", "remote", "user", "app", "instanceID")
	s.open()
	s.change("shop/orders-1/uid", inst("ORDERS", "i1"))
	base := s.url
	as := func(user string) { s.url = strings.Replace(base, "http://", "http://"+user+"@", 1) }
	const path = "/eureka/apps/ORDERS/i1/status"
	as("s3cret:hashed")
	s.want(s.do("PUT", path+"?value=DOWN"), http.StatusUnauthorized)
	as("hashed:s3cret")
	s.want(s.do("PUT", path+"?value=DOWN"), http.StatusOK)
	s.want(s.get("/eureka/apps"), http.StatusOK) // for everybody: nobody looks at the credentials
	wantLines(t, lines(0), "Overrode the status of an instance remote=127.0.0.1 user=hashed app=ORDERS instanceID=i1")
	wantLines(t, lines(4),
		"Served a request remote=127.0.0.1 path="+path+" query=value=DOWN code=401",
		"Served a request remote=127.0.0.1 user=hashed path="+path+" query=value=DOWN code=200",
		"Served a request remote=127.0.0.1 path=/eureka/apps query= code=200",
	)
}
