package api

import (
	"errors"
	"net/http"

	"k8s.io/klog/v2"
)

// statusError is an error that the client is told of by a status and no body.
// The Jersey clients read any body of a heartbeat's answer as an instance and,
// when they cannot, never register again (protocol section 8.1, field case 25);
// the Spring ones decode the bodies of refused reads.
type statusError int

func (e statusError) Error() string { return http.StatusText(int(e)) }

const (
	errNotFound         = statusError(http.StatusNotFound)
	errMethodNotAllowed = statusError(http.StatusMethodNotAllowed)
	errNotReady         = statusError(http.StatusServiceUnavailable)
)

// fail turns the error of a handler into an answer.
func fail(w *response, r *http.Request, err error) {
	var status statusError
	if !errors.As(err, &status) {
		klog.FromContext(r.Context()).Error(err, "Request failed", "method", r.Method, "path", r.URL.Path)
		status = http.StatusInternalServerError
	}
	w.WriteHeader(int(status))
}
