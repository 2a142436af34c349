package figure

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"time"
)

// wire is one keep-alive connection that sends requests and throws the answers
// away. It does next to nothing besides, so that the server is what is measured:
// net/http's client costs more than its server.
type wire struct {
	conn    net.Conn
	reader  *bufio.Reader
	request []byte
	next    func(dst []byte) []byte // appends the next request; the same one is sent again if nil
}

// dial connects to address.
func dial(address string) (*wire, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &wire{conn: conn, reader: bufio.NewReaderSize(conn, 64<<10)}, nil
}

// dialRead connects to address and will ask for path with the given header lines.
func dialRead(address, path string, header ...string) (*wire, error) {
	w, err := dial(address)
	if err != nil {
		return nil, err
	}
	request := "GET " + path + " HTTP/1.1\r\nHost: " + address + "\r\n"
	for _, line := range header {
		request += line + "\r\n"
	}
	w.request = []byte(request + "\r\n")
	return w, nil
}

// askUntil asks until the deadline and returns how many answers came in full.
func (w *wire) askUntil(deadline time.Time) (answers int, err error) {
	for time.Now().Before(deadline) {
		if err := w.ask(); err != nil {
			return answers, err
		}
		answers++
	}
	return answers, nil
}

// askEvery asks once in each period for span and returns how long each answer
// took from the time at which its request was due.
func (w *wire) askEvery(period, span time.Duration) (took []time.Duration, err error) {
	due := time.Now().Add(rand.N(period)) // connections take turns
	for end := due.Add(span); due.Before(end); due = due.Add(period) {
		time.Sleep(time.Until(due))
		if err := w.ask(); err != nil {
			return took, err
		}
		took = append(took, time.Since(due))
	}
	return took, nil
}

// ask sends a request and reads its answer to the end.
func (w *wire) ask() error {
	if w.next != nil {
		w.request = w.next(w.request[:0])
	}
	if _, err := w.conn.Write(w.request); err != nil {
		return err
	}
	length, err := w.readHead()
	if err != nil {
		return err
	}
	_, err = io.CopyN(io.Discard, w.reader, length)
	return err
}

var (
	contentLength = []byte("Content-Length: ")
	statusOK      = []byte("HTTP/1.1 200 ")
	statusNone    = []byte("HTTP/1.1 204 ")
)

// readHead reads status line and header, and returns the length of the body.
func (w *wire) readHead() (length int64, err error) {
	length = -1
	for first := true; ; first = false {
		line, err := w.reader.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		line = bytes.TrimRight(line, "\r\n")
		value, isLength := bytes.CutPrefix(line, contentLength)
		switch {
		case first && bytes.HasPrefix(line, statusNone):
			length = 0 // the only status of ours that has no body and no length
		case first && !bytes.HasPrefix(line, statusOK):
			return 0, fmt.Errorf("answer was %q", line)
		case isLength:
			if length, err = strconv.ParseInt(string(value), 10, 64); err != nil {
				return 0, err
			}
		case len(line) == 0 && length < 0:
			return 0, fmt.Errorf("answer had no length")
		case len(line) == 0:
			return length, nil
		}
	}
}

func (w *wire) close() {
	_ = w.conn.Close() // nothing was buffered for it
}
