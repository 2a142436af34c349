package figure

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"
)

// wire is one keep-alive connection that asks the same question again and again
// and throws the answers away. It does next to nothing besides, so that the
// server is what is measured: net/http's client costs more than its server.
type wire struct {
	conn    net.Conn
	reader  *bufio.Reader
	request []byte
}

// dial connects to address and will ask for path with the given header lines.
func dial(address, path string, header ...string) (*wire, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	request := "GET " + path + " HTTP/1.1\r\nHost: " + address + "\r\n"
	for _, line := range header {
		request += line + "\r\n"
	}
	return &wire{conn, bufio.NewReaderSize(conn, 64<<10), []byte(request + "\r\n")}, nil
}

// askUntil repeats the question until the deadline and returns how often it was
// answered in full.
func (w *wire) askUntil(deadline time.Time) (answers int, err error) {
	for time.Now().Before(deadline) {
		if err := w.ask(); err != nil {
			return answers, err
		}
		answers++
	}
	return answers, nil
}

// ask sends the question and reads its answer to the end.
func (w *wire) ask() error {
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

var contentLength = []byte("Content-Length: ")

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
		case first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")):
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
