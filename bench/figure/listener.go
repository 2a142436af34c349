package figure

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"time"
)

// listener is a client that follows a stream. It speaks HTTP itself: ten thousand
// clients of net/http would need more of the two cores than the program.
type listener struct {
	conn  net.Conn
	lines *bufio.Reader
	heard chan heard
	err   error // why the stream ended, set before heard is closed
}

// heard is an event that a listener has read to its end.
type heard struct {
	id string
	at time.Time
}

// unread is how many events a listener may be ahead of who asks.
const unread = 4

// openListener opens a stream of all events and returns after the first one.
func openListener(ctx context.Context, address string) (*listener, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	l := &listener{conn: conn, lines: bufio.NewReaderSize(conn, 4096), heard: make(chan heard, unread)}
	if _, err = conn.Write([]byte("GET /eureka/stream HTTP/1.1\r\nHost: eurekube\r\n\r\n")); err == nil {
		err = l.first()
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return l, nil
}

// first reads up to the first ping.
func (l *listener) first() error {
	for {
		line, err := l.lines.ReadSlice('\n')
		switch {
		case err != nil:
			return err
		case bytes.HasPrefix(line, []byte("HTTP/1.1 ")) && !bytes.Contains(line, []byte(" 200 ")):
			return fmt.Errorf("the stream is refused: %s", bytes.TrimSpace(line))
		case bytes.HasPrefix(line, []byte("data: ")):
			return nil
		}
	}
}

// listen reads until the connection is closed.
func (l *listener) listen() error {
	defer close(l.heard)
	for {
		line, err := l.lines.ReadSlice('\n')
		if err != nil {
			l.err = err
			return err
		}
		if !bytes.HasPrefix(line, []byte("data: ")) {
			continue
		}
		eachID(line, func(id []byte) { l.heard <- heard{string(id), time.Now()} })
	}
}

// await returns when the instance was heard of, and skips others.
func (l *listener) await(ctx context.Context, id string) (time.Time, error) {
	for {
		select {
		case <-ctx.Done():
			return time.Time{}, fmt.Errorf("%s came up and was not told: %w", id, ctx.Err())
		case h, open := <-l.heard:
			switch {
			case !open:
				return time.Time{}, errors.Join(errors.New("the stream has ended"), l.err)
			case h.id == id:
				return h.at, nil
			}
		}
	}
}
