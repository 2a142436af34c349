package differential

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// server is one of the two. It has one connection and is for one goroutine.
// Requests are written by hand: net/http would mend what sequences break.
type server struct {
	address    string // HOST:PORT
	connection net.Conn
	reader     *bufio.Reader
}

// answer is what a server said, with its body as it was before compression.
type answer struct {
	status  int
	headers http.Header
	body    string
}

// patience is how long an answer may take on a busy machine.
const patience = 30 * time.Second

// send sends a request over the connection, or over another one when the server
// has closed it meanwhile.
func (s *server) send(r request) (answer, error) {
	reused := s.connection != nil
	response, err := s.try(r)
	if err != nil && reused {
		s.close()
		response, err = s.try(r)
	}
	if err != nil {
		s.close()
		return answer{}, fmt.Errorf("%s %s at %s: %w", r.method, r.path, s.address, err)
	}
	return response, nil
}

func (s *server) close() {
	if s.connection != nil {
		_ = s.connection.Close() // nothing is lost with it
		s.connection = nil
	}
}

func (s *server) try(r request) (answer, error) {
	if s.connection == nil {
		connection, err := net.Dial("tcp", s.address)
		if err != nil {
			return answer{}, err
		}
		s.connection, s.reader = connection, bufio.NewReader(connection)
	}
	if err := s.connection.SetDeadline(time.Now().Add(patience)); err != nil {
		return answer{}, err
	}
	if _, err := io.WriteString(s.connection, s.wire(r)); err != nil {
		return answer{}, err
	}
	response, err := http.ReadResponse(s.reader, &http.Request{Method: r.method})
	if err != nil {
		return answer{}, err
	}
	return s.read(response)
}

// wire is the request as text.
func (s *server) wire(r request) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n", r.method, r.path, s.address)
	for _, header := range r.headers {
		b.WriteString(header + "\r\n")
		if header == gzipped {
			r.body = compressed(r.body)
		}
	}
	if r.isWrite() {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(r.body))
	}
	b.WriteString("\r\n" + r.body)
	return b.String()
}

func compressed(text string) string {
	var b strings.Builder
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text) // a Builder takes all
	_ = z.Close()
	return b.String()
}

func (s *server) read(response *http.Response) (answer, error) {
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}, err
	}
	a := answer{status: response.StatusCode, headers: response.Header, body: string(content)}
	if response.ContentLength >= 0 && a.body == "" {
		a.headers.Set("Content-Length", fmt.Sprint(response.ContentLength))
	}
	if response.Close {
		s.close()
	}
	if response.Header.Get("Content-Encoding") != "gzip" || a.body == "" {
		return a, nil
	}
	z, err := gzip.NewReader(strings.NewReader(a.body))
	if err != nil {
		return answer{}, fmt.Errorf("the body is no gzip: %w", err)
	}
	content, err = io.ReadAll(z)
	a.body = string(content)
	return a, err
}
