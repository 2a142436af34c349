// Package control is how a case looks into an application on a Go client of Eureka,
// and tells it things, over HTTP at the address that the application registers with.
//
// It is for the programs beside it. It knows no client: what it answers, the
// program has from the library that it is built on.
package control

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
)

// Instance is one instance as the client's cache holds it.
type Instance struct {
	ID       string            `json:"id"`
	Status   string            `json:"status"`
	Metadata map[string]string `json:"metadata"`
}

// Consumer is what a client library knows of others. Its methods are called
// concurrently.
type Consumer interface {
	// Discovered are the URLs that a caller would choose from, by service.
	Discovered() map[string][]string
	// Known are all instances of an application.
	Known(app string) []Instance
}

// Provider is an application that registers itself. Its methods are called
// concurrently.
type Provider interface {
	// ChangeMetadata adds to the metadata of the application.
	ChangeMetadata(map[string]string) error
	// ReportStatus says that the application has another status.
	ReportStatus(status string) error
}

// Handler answers for the application that calls itself id. provider is nil when
// the library cannot register.
func Handler(id string, consumer Consumer, provider Provider) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /self/id", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, id) })
	mux.HandleFunc("GET /discovered", func(w http.ResponseWriter, _ *http.Request) { answer(w, consumer.Discovered()) })
	mux.HandleFunc("GET /known", func(w http.ResponseWriter, r *http.Request) {
		known := consumer.Known(r.FormValue("app"))
		slices.SortFunc(known, func(a, b Instance) int { return strings.Compare(a.ID, b.ID) })
		answer(w, known)
	})
	mux.HandleFunc("GET /call", func(w http.ResponseWriter, r *http.Request) {
		said, err := call(r.Context(), consumer.Discovered()[r.FormValue("service")])
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprint(w, said)
	})
	if provider != nil {
		handleChanges(mux, provider)
	}
	return mux
}

func handleChanges(mux *http.ServeMux, provider Provider) {
	change := func(w http.ResponseWriter, err error) {
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
		}
	}
	mux.HandleFunc("PUT /self/metadata", func(w http.ResponseWriter, r *http.Request) {
		var metadata map[string]string
		if err := json.NewDecoder(r.Body).Decode(&metadata); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		change(w, provider.ChangeMetadata(metadata))
	})
	mux.HandleFunc("PUT /self/status", func(w http.ResponseWriter, r *http.Request) {
		change(w, provider.ReportStatus(r.FormValue("value")))
	})
}

func answer(w http.ResponseWriter, content any) {
	// A case that went away needs no answer.
	_ = json.NewEncoder(w).Encode(content)
}

// call asks one of the URLs for its id. Libraries in Go have no load balancer, so
// the choice is by chance.
func call(ctx context.Context, urls []string) (string, error) {
	if len(urls) == 0 {
		return "", fmt.Errorf("no instance is known")
	}
	url := urls[rand.IntN(len(urls))]
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/self/id", nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answers %d", url, response.StatusCode)
	}
	return string(body), err
}
