package api

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/eurekube/eurekube/eureka/codec"
)

// sent is one request as a real client put it on the wire, with the answer that
// it got from a real server.
type sent struct {
	Request struct {
		Line, Body string
		Headers    map[string]string
	}
	Response struct{ Status int }
}

// bytes are the request on the wire. Headers are in an order of their own, which
// the recording does not hold, and the length is that of the body as it stands
// there, with a shorter address than the client's.
func (e *sent) bytes() string {
	var b strings.Builder
	b.WriteString(e.Request.Line + "\r\n")
	chunked := false
	for name, value := range e.Request.Headers {
		if strings.EqualFold(name, "Content-Length") {
			value = strconv.Itoa(len(e.Request.Body))
		}
		fmt.Fprintf(&b, "%s: %s\r\n", name, value)
		chunked = chunked || strings.EqualFold(name, "Transfer-Encoding")
	}
	b.WriteString("\r\n")
	if chunked {
		fmt.Fprintf(&b, "%x\r\n%s\r\n0\r\n\r\n", len(e.Request.Body), e.Request.Body)
	} else {
		b.WriteString(e.Request.Body)
	}
	return b.String()
}

// TestRecordedClients plays what real clients sent, byte for byte: they get the
// status that they got, an empty body wherever they take none, and every body
// that they read can be read.
func TestRecordedClients(t *testing.T) {
	files, err := filepath.Glob("testdata/clients/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("recordings: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var recording struct{ Exchanges []sent }
			if err := json.Unmarshal(data, &recording); err != nil {
				t.Fatal(err)
			}
			s := startWrites(t)
			for i := range recording.Exchanges {
				e := &recording.Exchanges[i]
				s.settle()
				s.play(t, e)
			}
		})
	}
}

// play sends one request over a connection of its own.
func (s *server) play(t *testing.T, e *sent) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write([]byte(e.bytes())); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(e.Request.Line, " ")
	resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatal(err)
	}
	a := read(t, resp)
	if a.StatusCode != e.Response.Status {
		t.Errorf("%s = %d %s, want %d", e.Request.Line, a.StatusCode, a.text, e.Response.Status)
	}
	switch {
	case method == http.MethodGet:
		form := codec.XML
		if a.Header.Get("Content-Type") == "application/json" {
			form = codec.JSON
		}
		if _, err := codec.DecodeApplications(form, []byte(a.text)); err != nil {
			t.Errorf("%s = %s: %v", e.Request.Line, a.text, err)
		}
	case strings.Contains(e.Request.Line, "peerreplication"):
		if a.text != `{"responseList":[{"statusCode":200}]}` {
			t.Errorf("%s = %s, want success", e.Request.Line, a.text)
		}
	default:
		if len(a.raw) != 0 || a.Header.Get("Content-Type") != "" || slices.Contains(a.TransferEncoding, "chunked") {
			t.Errorf("%s = %q, Content-Type %q; want no body", e.Request.Line, a.raw, a.Header.Get("Content-Type"))
		}
	}
}
