package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// ErrNotReady says that there is no list yet, neither from a server nor from a
// file.
var ErrNotReady = errors.New("no list of instances yet")

// ErrRunning says that Run was called while it runs: a second one would renew the
// same lease, or write the same copy.
var ErrRunning = errors.New("it runs already")

// StatusError is an answer of a server that an operation has no use for.
type StatusError struct {
	// Method and URL are those of the request; the URL has no credentials in it.
	Method, URL string
	// Status is the HTTP status code.
	Status int
	// Reason is what the server said, one line at most, or what may be wrong with the
	// service URL; often empty.
	Reason string
}

// Error names the request, the status and the server's reason.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s %s: %d %s", e.Method, e.URL, e.Status, http.StatusText(e.Status))
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return text
}

// NoInstanceError says that nobody can be chosen under a name.
type NoInstanceError struct {
	// Name is the name of an application, or a VIP.
	Name string
	// Listed is how many instances it has; 0 for a name that nobody has.
	Listed int
	// Declined is how many of them are UP and were left to the [Picker], which chose
	// none; 0 when there was nobody to choose from.
	Declined int
}

// Error says whether the name is unknown, nobody of it is UP, or the Picker wanted
// none.
func (e *NoInstanceError) Error() string {
	if e.Listed == 0 {
		return fmt.Sprintf("%q: nobody is listed by this name", e.Name)
	}
	if e.Declined > 0 {
		return fmt.Sprintf("%q: the picker chose none of %d that are UP", e.Name, e.Declined)
	}
	return fmt.Sprintf("%q: none of %d listed is UP", e.Name, e.Listed)
}

// maxReason is how much of an answer is quoted, in bytes.
const maxReason = 200

// unexpected is the error for an answer that is not the one hoped for.
func (a *answer) unexpected() error {
	e := &StatusError{Method: a.method, URL: a.url, Status: a.status}
	switch a.status {
	case http.StatusBadRequest, http.StatusForbidden, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType:
		line, _, _ := strings.Cut(strings.TrimSpace(string(a.body)), "\n")
		e.Reason = strings.ToValidUTF8(line[:min(len(line), maxReason)], "")
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		e.Reason = "redirects are not followed" + to(a.header.Get("Location"))
	case http.StatusNotFound:
		if a.everyServerHas() {
			e.Reason = "this is not the API of a Eureka server; the service URL has to be as in http://eurekube:8761/eureka/"
		}
	}
	return e
}

// everyServerHas reports whether the request is one that no Eureka server can answer
// by a 404: others ask for one instance, or for what a server may lack.
func (a *answer) everyServerHas() bool {
	return a.method == http.MethodPost || a.url == a.on.base+"apps"
}

// to tells where a redirect leads, without credentials.
func to(location string) string {
	u, err := url.Parse(location)
	if err != nil || location == "" {
		return ""
	}
	return "; the service URL may have to be " + u.Redacted()
}
