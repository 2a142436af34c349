package dashboard

import (
	"bytes"
	_ "embed" // of page.html
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

// maxApplications is how many applications the page lists: more than anybody
// reads, and few enough that strangers who register names cannot make it grow.
const maxApplications = 1000

//go:embed page.html
var source string

var page = template.Must(template.New("page").Parse(source))

// view is what the page shows.
type view struct {
	Hash         string
	Version      int64
	Total        int // instances
	Listed       int // applications
	Applications []application
	More         int // applications that are not shown
}

// application is a row of the page.
type application struct {
	Name     string
	Statuses []count
}

// count is how many instances of an application have a status.
type count struct {
	Status eureka.Status
	Count  int
}

// Handler returns a handler that answers with the page of the current snapshot, and
// while there is none with 503 and, in plain text, what is waited for. Any number of
// goroutines may use it at once.
func Handler(current func() *snapshot.Snapshot, waiting func() string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s := current()
		if s == nil {
			w.Header().Set("Cache-Control", "no-store")
			http.Error(w, "not synced: "+waiting(), http.StatusServiceUnavailable)
			return
		}
		var text bytes.Buffer
		if err := page.Execute(&text, look(s)); err != nil {
			panic(err) // the template and view do not fit: tests see it
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Length", strconv.Itoa(text.Len()))
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'") // names come from strangers
		_, _ = w.Write(text.Bytes())                                                      // the reader is gone, or has it
	})
}

// look takes from a snapshot what the page shows.
func look(s *snapshot.Snapshot) view {
	v := view{Hash: s.HashCode(), Version: s.Version(), Total: s.Census().Total()}
	s.Each(func(app *eureka.Application) {
		var census eureka.Census
		for _, inst := range app.Instances {
			census.Add(inst.Status, 1)
		}
		row := application{Name: app.Name}
		for _, status := range eureka.Statuses {
			if n := census.Count(status); n > 0 {
				row.Statuses = append(row.Statuses, count{status, n})
			}
		}
		v.Applications = append(v.Applications, row)
	})
	slices.SortFunc(v.Applications, func(a, b application) int { return strings.Compare(a.Name, b.Name) })
	v.Listed = len(v.Applications)
	v.More = max(0, v.Listed-maxApplications)
	v.Applications = v.Applications[:v.Listed-v.More]
	return v
}
