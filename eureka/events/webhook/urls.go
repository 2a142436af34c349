package webhook

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// ParseURL reads the URL of a webhook. The error does not repeat it, since it may
// hold a secret.
func ParseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("is no URL; some characters of a password have to be written as %XX") // the cause quotes what it takes for a port or an escape
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("does not begin with http:// or https://")
	case u.Hostname() == "":
		return nil, errors.New("names no host")
	case !isPort(u.Port()):
		return nil, errors.New("has a port that is none from 1 to 65535")
	case u.Fragment != "":
		return nil, errors.New("has a fragment, which is never sent")
	}
	return u, nil
}

func isPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}

// ParseURLs reads the lines of a file, one URL in each. Empty lines and those that
// begin with # say nothing. The error names the line.
func ParseURLs(content string) ([]*url.URL, error) {
	var urls []*url.URL
	number := 0
	for line := range strings.Lines(content) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		u, err := ParseURL(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		urls = append(urls, u)
	}
	if len(urls) == 0 {
		return nil, errors.New("holds no URL")
	}
	return urls, nil
}
