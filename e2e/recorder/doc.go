// Package recorder stands between a client and a server as a proxy that changes
// nothing and notes every exchange, and that fails on demand as a server does:
// answering 503, keeping silent, cutting connections.
//
// It is for tests of clients that must show what goes over the wire. It is not for
// bodies, of which it keeps the sizes only, and not for many clients at once: it
// keeps every exchange until it is closed.
package recorder
