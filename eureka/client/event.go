package client

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// event is one server-sent event.
type event struct {
	name string // "message" when the server gave none
	id   string // of this or of the latest event that had one
	data []byte // lines joined by newlines
}

// errLongEvent ends a stream whose event is longer than any answer may be.
var errLongEvent = errors.New("an event is too long")

// eventReader reads the text/event-stream format: fields of an event line by line,
// and an empty line that ends it. Lines end in LF or CRLF; a CR alone, which no
// server of ours sends, ends none. It is for one goroutine.
type eventReader struct {
	lines  *bufio.Reader
	max    int64 // bytes of one event
	lastID string
}

func newEventReader(r io.Reader, longest int64) *eventReader {
	return &eventReader{lines: bufio.NewReaderSize(r, 32<<10), max: longest}
}

// next is the next event that has data. An event that the stream's end cuts off is
// dropped, as the format demands; the error is then io.EOF.
func (r *eventReader) next() (event, error) {
	e := event{name: "message"}
	id, room, hasData := r.lastID, r.max, false
	for {
		line, err := r.line(room)
		if err != nil {
			return event{}, err
		}
		room -= int64(len(line)) + 1
		if len(line) == 0 {
			r.lastID = id // also of an event without data
			if hasData {
				e.id = id
				return e, nil
			}
			e, room = event{name: "message"}, r.max
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "event":
			e.name = string(value)
		case "id":
			if bytes.IndexByte(value, 0) < 0 {
				id = string(value)
			}
		case "data":
			if hasData {
				e.data = append(e.data, '\n')
			}
			e.data = append(e.data, value...)
			hasData = true
		}
	}
}

// line is the next line without its end. It is valid until the next call.
func (r *eventReader) line(room int64) ([]byte, error) {
	var long []byte // of a line that does not fit into the buffer
	for {
		part, err := r.lines.ReadSlice('\n')
		if int64(len(long)+len(part)) > room {
			return nil, errLongEvent
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			long = append(long, part...)
			continue
		}
		if err != nil {
			return nil, err
		}
		if long != nil {
			part = append(long, part...)
		}
		return bytes.TrimSuffix(part[:len(part)-1], []byte("\r")), nil
	}
}
