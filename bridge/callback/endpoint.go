package callback

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// maxURL bounds each URL of a registration, in bytes.
const maxURL = 1024

// endpoint is a URL of a registration as it is called.
type endpoint struct {
	url  *url.URL   // with a port; never changed
	host string     // in lower case, without brackets, an address in its usual spelling
	addr netip.Addr // of a host that is an address
	port int
}

// parseEndpoint reads a URL. http:HOST:PORT, as the protocol's first programs write
// it, is http://HOST:PORT.
func parseEndpoint(text string) (endpoint, error) {
	if text == "" {
		return endpoint{}, errors.New("is missing")
	}
	if len(text) > maxURL {
		return endpoint{}, fmt.Errorf("is longer than %d bytes", maxURL)
	}
	scheme, rest, found := strings.Cut(text, ":")
	scheme = strings.ToLower(scheme)
	if !found || scheme != "http" && scheme != "https" {
		return endpoint{}, fmt.Errorf("%.40q is neither http nor https", text)
	}
	if !strings.HasPrefix(rest, "/") {
		rest = "//" + rest
	}
	u, err := url.Parse(scheme + ":" + rest)
	switch {
	case err != nil:
		return endpoint{}, errors.Unwrap(err) // without the text, which may be long
	case u.User != nil:
		return endpoint{}, errors.New("holds a user")
	case u.Fragment != "":
		return endpoint{}, errors.New("holds a fragment")
	case strings.ContainsFunc(u.RawQuery, func(r rune) bool { return r <= ' ' || r > '~' }):
		return endpoint{}, errors.New("holds a query that is not escaped") // and would be sent so
	}
	return newEndpoint(u)
}

func newEndpoint(u *url.URL) (endpoint, error) {
	e := endpoint{url: u, host: strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))}
	addr, isAddress, err := literal(e.host)
	if err != nil {
		return endpoint{}, err
	}
	if isAddress {
		e.addr, e.host = addr, addr.String()
	}
	if e.port, err = portOf(u); err != nil {
		return endpoint{}, err
	}
	u.Host = net.JoinHostPort(e.host, strconv.Itoa(e.port))
	return e, nil
}

// portOf is the port that u names, or that of its scheme.
func portOf(u *url.URL) (int, error) {
	switch {
	case u.Port() == "" && u.Scheme == "https":
		return 443, nil
	case u.Port() == "":
		return 80, nil
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil || port == 0 {
		return 0, fmt.Errorf("port %.10q is not a number from 1 to 65535", u.Port())
	}
	return int(port), nil
}

// id is what tells services apart: host, port and path. Spellings of one URL have
// the same.
func (e endpoint) id() string {
	id := e.url.Host + strings.TrimSuffix(e.url.EscapedPath(), "/")
	if e.url.RawQuery != "" {
		id += "?" + e.url.RawQuery
	}
	return id
}
