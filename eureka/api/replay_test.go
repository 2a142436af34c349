package api

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// exchange is one request that was sent to a real server, and its answer.
type exchange struct {
	N       int
	Name    string
	Request struct {
		Method, Path, Body string
		Headers            map[string]string
	}
	Response struct {
		Status  int
		Body    string
		Headers map[string]string
	}
}

// recordedExchanges reads a recording. Bodies are as they were before
// compression.
func recordedExchanges(t *testing.T, path string) []exchange {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	data, err = io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var recording struct{ Exchanges []exchange }
	if err := json.Unmarshal(data, &recording); err != nil {
		t.Fatal(err)
	}
	return recording.Exchanges
}

// comparedHeaders are the headers that a client can act on.
var comparedHeaders = []string{"Allow", "Content-Disposition", "Content-Encoding", "Content-Type", "ETag", "Location", "Vary"}

// flatAnswer is an answer as it is compared: status, headers and body.
func flatAnswer(t *testing.T, e *exchange, status int, header http.Header, body string, at time.Time) flat {
	t.Helper()
	f := flat{"status": http.StatusText(status)}
	for _, name := range comparedHeaders {
		if value := header.Get(name); value != "" {
			f["header "+name] = value
		}
	}
	if allow := f["header Allow"]; allow != "" {
		methods := strings.Split(strings.ReplaceAll(allow, " ", ""), ",")
		slices.Sort(methods)
		f["header Allow"] = strings.Join(methods, ",")
	}
	if f["header ETag"] != "" {
		f["header ETag"] = "tag" // another one for every server
	}
	var document flat
	var err error
	switch {
	case body == "":
	case status >= 400 && status != http.StatusConflict:
		document = flat{"body": text(body)}
	case strings.HasPrefix(body, "<"):
		document, err = flattenXML(body)
	default:
		document, err = flattenJSON(body)
	}
	if err != nil {
		t.Fatalf("%d %s: %v in %s", e.N, e.Name, err, body)
	}
	document.clock(at)
	for path, value := range document {
		f[path] = value
	}
	return f
}

// text is the body of an error: the error pages of Spring and Tomcat are all one, and
// a line of ours has an end.
func text(body string) string {
	for _, mark := range []string{`{"timestamp":`, "<Map><timestamp>", "<!doctype html>", "<html>"} {
		if strings.HasPrefix(body, mark) {
			return "error page"
		}
	}
	return strings.TrimSuffix(body, "\n")
}

func TestRecordedServers(t *testing.T) {
	files, err := filepath.Glob("testdata/servers/*.json.gz")
	if err != nil || len(files) == 0 {
		t.Fatalf("recordings: %v, %v", files, err)
	}
	allowed := newAllowances(t)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			s := startWrites(t)
			exchanges := recordedExchanges(t, file)
			then := recordedAt(t, exchanges)
			for i := range exchanges {
				e := &exchanges[i]
				if e.Request.Method == "GET" || e.Request.Method == "HEAD" {
					s.settle()
				}
				var headers []string
				for name, value := range e.Request.Headers {
					headers = append(headers, name+": "+value)
				}
				a := s.send(e.Request.Method, e.Request.Path, e.Request.Body, headers...)
				recorded := make(http.Header)
				for name, value := range e.Response.Headers {
					recorded.Set(name, value)
				}
				want := flatAnswer(t, e, e.Response.Status, recorded, e.Response.Body, then)
				got := flatAnswer(t, e, a.StatusCode, a.Header, a.text, time.Now())
				allowed.check(t, e, a.StatusCode, compare(want, got))
			}
		})
	}
	allowed.wantAllUsed(t)
}

// recordedAt is when a recording was made: the time of its first error page.
func recordedAt(t *testing.T, exchanges []exchange) time.Time {
	t.Helper()
	for _, e := range exchanges {
		var page struct{ Timestamp time.Time }
		if e.Response.Status == http.StatusNotFound && json.Unmarshal([]byte(e.Response.Body), &page) == nil && !page.Timestamp.IsZero() {
			return page.Timestamp
		}
	}
	t.Fatal("no error page tells the time of the recording")
	return time.Time{}
}
