package events

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/eurekube/eurekube/eureka/snapshot"
)

// maxNames bounds the names of a filter: each is compared with every change.
const maxNames = 100

// request is what a client asked for.
type request struct {
	filter *snapshot.Filter
	last   string // the id of the last event that it has got, empty for none
	full   bool   // begin with the list unless last is known
}

// parseRequest reads the parameters app, vip and full and the header
// Last-Event-ID. Other parameters are ignored, as everywhere in the API.
func parseRequest(r *http.Request) (*request, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, errors.New("the query cannot be read")
	}
	asked := &request{filter: &snapshot.Filter{VIPs: query["vip"]}, last: r.Header.Get("Last-Event-ID")}
	for _, app := range query["app"] {
		asked.filter.Apps = append(asked.filter.Apps, strings.ToUpper(app))
	}
	for name, values := range map[string][]string{"app": query["app"], "vip": query["vip"]} {
		if slices.Contains(values, "") {
			return nil, fmt.Errorf("%s is empty: nothing has that name", name)
		}
		if len(values) > maxNames {
			return nil, fmt.Errorf("%s stands there %d times, more than %d", name, len(values), maxNames)
		}
	}
	if query.Has("full") {
		switch query.Get("full") {
		case "true":
			asked.full = true
		case "false":
		default:
			return nil, errors.New("full is neither true nor false")
		}
	}
	return asked, nil
}

// start is the place from which the stream goes on, and whether it has to begin
// with the list.
func (q *request) start(s *snapshot.Snapshot) (at snapshot.Token, reset bool) {
	if q.last == "" {
		return s.Token(), q.full
	}
	// An id that cannot be read is as good as an old one: a refusal would have
	// browsers give up for ever.
	last, err := snapshot.ParseToken(q.last)
	if err != nil {
		return s.Token(), true
	}
	if _, known := s.Since(last); !known {
		return s.Token(), true
	}
	return last, false
}
