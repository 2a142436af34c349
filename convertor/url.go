package convertor

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
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
func (c *conversion) contextPath() string {
	path := strings.Trim(c.labels.value(nameContextPath), "/")
	if path == "" {
		return ""
	}
	return c.pathOr(nameContextPath, "/"+path, "")
}

// annotatedPath is the path in the annotation name, or fallback.
func (c *conversion) annotatedPath(name, fallback string) string {
	path := c.labels.annotation(name)
	if path == "" {
		return fallback
	}
	return c.pathOr(name, "/"+strings.TrimLeft(path, "/"), fallback)
}

// pathOr is path, which was given under name, or fallback with a warning if it is
// none.
func (c *conversion) pathOr(name, path, fallback string) string {
	if isPath(path) {
		return path
	}
	c.warnings.add(WarningBadPath, "%s: %s cannot be the path of a URL; using %q", c.labels.key(name), clipped(path), fallback)
	return fallback
}

// noPath are the characters that end a path, and those that no URL may hold
// (RFC 3986, section 2): Java's URI class refuses a URL with one of them, and
// clients take braces for a template.
const noPath = "?#\"<>\\^`{|}[]"

// isPath reports whether path, which begins with a slash, is a path for every
// client and nothing else.
func isPath(path string) bool {
	if strings.ContainsAny(path, noPath) || strings.ContainsFunc(path, breaksURL) {
		return false
	}
	_, err := url.Parse("http://host" + path)
	return err == nil
}

// breaksURL includes what is left of bytes that are no UTF-8.
func breaksURL(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == unicode.ReplacementChar
}
