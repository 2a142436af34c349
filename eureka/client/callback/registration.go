package callback

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Registration is what a program says of itself. It is the body of its POST, in
// JSON, where ServiceUpdateURL is spelled as the protocol's first programs do.
type Registration struct {
	// ServiceName is what others require the program by.
	ServiceName string
	// ServiceURL is what they are told, http://HOST:PORT, and what the registration
	// is known by.
	ServiceURL string
	// RequiredServices are the names that the program is told of.
	RequiredServices []string
	// ServiceUpdateURL takes what the registry tells. Empty is ServiceURL with
	// /services.
	ServiceUpdateURL string `json:"ServiceUpdateURl"`
	// HeartbeatURL is probed, every three seconds by Eurekube. Empty is ServiceURL
	// with /heartbeat.
	HeartbeatURL string
}

// complete gives r what may be left out, and reports what may not.
func (r Registration) complete() (Registration, error) {
	if r.ServiceName == "" || r.ServiceURL == "" {
		return r, errors.New("a registration needs ServiceName and ServiceURL")
	}
	base := strings.TrimSuffix(r.ServiceURL, "/")
	if r.ServiceUpdateURL == "" {
		r.ServiceUpdateURL = base + "/services"
	}
	if r.HeartbeatURL == "" {
		r.HeartbeatURL = base + "/heartbeat"
	}
	if r.RequiredServices == nil {
		r.RequiredServices = []string{} // some registries take no null
	}
	return r, nil
}

// pathOf is the path that a URL of the program is called at. The protocol's
// programs leave the slashes out: http:localhost:4000/heartbeat.
func pathOf(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil {
		return "", err
	}
	path := u.Path
	if u.Opaque != "" {
		_, path, _ = strings.Cut(u.Opaque, "/")
		path = "/" + path
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%q is neither http nor https", text)
	}
	if path == "" {
		path = "/"
	}
	return path, nil
}
