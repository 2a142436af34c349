package callback

import (
	"encoding/json"
	"net/http"
)

// maxPatch bounds what the registry may tell at once, in bytes: ten thousand
// providers are a megabyte.
const maxPatch = 8 << 20

// Handler answers the registry at the paths of HeartbeatURL and ServiceUpdateURL,
// and everything else with 404. Any number of goroutines may use it at once.
func (s *Service) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case s.heartbeatPath:
			s.heartbeat(w, r)
		case s.updatePath:
			s.update(w, r)
		default:
			http.NotFound(w, r)
		}
	})
}

// heartbeat answers a probe.
func (s *Service) heartbeat(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	s.probed()
	w.WriteHeader(http.StatusOK)
}

// update takes over what the registry tells.
func (s *Service) update(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var told patch
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxPatch)).Decode(&told); err != nil {
		http.Error(w, "the body is no patch: "+err.Error(), http.StatusBadRequest)
		return
	}
	s.providers.apply(told)
	w.WriteHeader(http.StatusOK)
}
