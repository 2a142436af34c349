package client_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// script is a server that does what the test says. A nil handler is a 404.
type script struct {
	mu                  sync.Mutex
	full, delta, stream http.HandlerFunc
}

// set changes what it does from now on.
func (s *script) set(change func(*script)) *script {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s)
	return s
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	h := map[string]http.HandlerFunc{"apps": s.full, "apps/delta": s.delta, "stream": s.stream}[strings.TrimPrefix(r.URL.Path, "/eureka/")]
	s.mu.Unlock()
	if h == nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	h(w, r)
}

// list answers a collection, with a token if there is one. Its hash is its own unless
// hash is not empty.
func list(token, hash string, instances ...*eureka.Instance) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if token != "" {
			w.Header().Set("Eurekube-Token", token)
		}
		_, _ = io.WriteString(w, document(hash, instances...))
	}
}

func document(hash string, instances ...*eureka.Instance) string {
	apps := &eureka.Applications{AppsHashCode: hash}
	for _, inst := range instances {
		apps.Applications = append(apps.Applications, eureka.Application{Name: inst.App, Instances: []*eureka.Instance{inst}})
	}
	if hash == "" {
		apps.AppsHashCode = eureka.HashCode(apps.Applications)
	}
	return string(codec.JSON.AppendApplications(nil, apps))
}

// answer answers a status.
func answer(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
}

// hold waits for d or until the client is gone.
func hold(r *http.Request, d time.Duration) {
	select {
	case <-r.Context().Done():
	case <-time.After(d):
	}
}

// line is an event of a stream about one instance.
func line(name, id string, action eureka.ActionType, inst *eureka.Instance) string {
	told := inst.Clone()
	told.ActionType = action
	return fmt.Sprintf("event: %s\nid: %s\ndata: %s\n\n", name, id, codec.JSON.AppendInstance(nil, told))
}

// reset is the event of a full list.
func reset(id string, instances ...*eureka.Instance) string {
	return fmt.Sprintf("event: reset\nid: %s\ndata: %s\n\n", id, document("", instances...))
}

const ping = "event: ping\ndata: {}\n\n"

// streams is a stream that says each text and then pings every 15 seconds for as
// long as lasts.
func streams(lasts time.Duration, texts ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		w.WriteHeader(http.StatusOK)
		for _, text := range texts {
			_, _ = io.WriteString(w, text)
		}
		end, pings := time.NewTimer(lasts), time.NewTicker(15*time.Second)
		defer end.Stop()
		defer pings.Stop()
		for {
			select {
			case <-r.Context().Done():
				return
			case <-end.C:
				return
			case <-pings.C:
				_, _ = io.WriteString(w, ping)
			}
		}
	}
}
