package api

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/eurekube/eurekube/eureka/codec"
)

// readDocument reads the body of a request and the form that it is in. It holds
// something.
func (a *API) readDocument(w *response, r *http.Request) (codec.Form, []byte, error) {
	body, err := a.readBody(w, r)
	if err != nil {
		return 0, nil, err
	}
	form, err := bodyForm(r.Header, body)
	if err == nil && len(bytes.TrimSpace(body)) == 0 {
		err = badRequest("the body is empty")
	}
	return form, body, err
}

// readBody reads the body of a request, inflated if it came as gzip, as peers
// may be told to send it. Neither form may be longer than the limit.
func (a *API) readBody(w *response, r *http.Request) ([]byte, error) {
	limit := a.config.MaxBody
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	body := io.Reader(http.MaxBytesReader(w.ResponseWriter, r.Body, limit))
	switch coding := strings.ToLower(strings.TrimSpace(strings.Join(r.Header.Values("Content-Encoding"), ","))); coding {
	case "", "identity":
	case "gzip", "x-gzip":
		inflated, err := gzip.NewReader(body)
		if err != nil {
			return nil, unreadable(err, limit)
		}
		body = http.MaxBytesReader(nil, io.NopCloser(inflated), limit)
	default:
		return nil, &refusal{code: http.StatusUnsupportedMediaType, reason: fmt.Sprintf("Content-Encoding %.40q is not gzip", coding)}
	}
	var content bytes.Buffer
	content.Grow(int(min(max(r.ContentLength, 0), readAhead)) + bytes.MinRead) // so that an ordinary body is not moved while it grows
	if _, err := content.ReadFrom(body); err != nil {
		return nil, unreadable(err, limit)
	}
	return content.Bytes(), nil
}

// readAhead bounds what is set aside for a body before it has come.
const readAhead = 16 << 10

// unreadable is why a body could not be read.
func unreadable(err error, limit int64) error {
	var exceeded *http.MaxBytesError
	if errors.As(err, &exceeded) {
		return tooLarge(limit)
	}
	return badRequest("the body could not be read: " + err.Error())
}

func tooLarge(limit int64) error {
	return &refusal{code: http.StatusRequestEntityTooLarge, reason: "the body is longer than " + strconv.FormatInt(limit, 10) + " bytes"}
}

// bodyForm is the form that a body is in by its Content-Type: JSON or XML under
// any of their names, with parameters or without. Clients written by hand often
// send none, and then the first byte tells.
func bodyForm(h http.Header, body []byte) (codec.Form, error) {
	contentType := h.Get("Content-Type")
	name, _, _ := strings.Cut(contentType, ";")
	switch name = strings.ToLower(strings.TrimSpace(name)); {
	case name == "":
		if bytes.HasPrefix(bytes.TrimLeft(body, "\uFEFF \t\r\n"), []byte("<")) {
			return codec.XML, nil
		}
		return codec.JSON, nil
	case name == "application/json", name == "text/json", strings.HasSuffix(name, "+json"):
		return codec.JSON, nil
	case name == "application/xml", name == "text/xml", strings.HasSuffix(name, "+xml"):
		return codec.XML, nil
	}
	return 0, &refusal{code: http.StatusUnsupportedMediaType, reason: fmt.Sprintf("Content-Type %.40q is neither JSON nor XML", contentType)}
}
