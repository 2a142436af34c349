package convertor

import (
	"strconv"
	"strings"
)

// Where Spring Boot serves its health and its information since version 2.
const (
	defaultHealthPath = "/actuator/health"
	defaultStatusPath = "/actuator/info"
)

// endpoint is where a client calls an instance.
type endpoint struct {
	scheme string
	// host has brackets if it is an IPv6 address.
	host string
	port int
	// base is the context path, empty or with a leading slash only.
	base string
}

func (e endpoint) url(path string) string {
	return e.scheme + "://" + e.host + ":" + strconv.Itoa(e.port) + e.base + path
}

// contextPath is the path that the application lives under, with a leading
// slash and none at the end, empty for the root. A label cannot hold the
// slash, so shop means /shop (field case 82).
func (l labels) contextPath() string {
	path := strings.Trim(l.value(nameContextPath), "/")
	if path == "" {
		return ""
	}
	return "/" + path
}

// pathOr is the path in the annotation name, or fallback.
func (l labels) pathOr(name, fallback string) string {
	path := l.annotation(name)
	if path == "" {
		return fallback
	}
	return "/" + strings.TrimLeft(path, "/")
}
