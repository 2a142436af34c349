package client

// InOrder reports whether the servers are tried in the order of urls.
func InOrder(s *Servers, urls []string) bool {
	for i, on := range s.line() {
		if on.base != urls[i] {
			return false
		}
	}
	return true
}

// Bound has answers longer than this many bytes refused.
func Bound(s *Servers, bytes int64) { s.max = bytes }
