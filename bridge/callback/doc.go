// Package callback serves the registry protocol that calls its services back: a
// program registers with one POST, and from then on the registry probes its
// heartbeat URL and posts to its update URL who came and who went of the services
// that it requires.
//
// It keeps no truth of its own (decision 0025). A service is a lease: registered
// by the POST, renewed by each probe that is answered, cancelled when probes fail
// and registered again when they are answered again. What a program is told is the
// difference between the current snapshot and what it was told before, so pods and
// instances that registered over the Eureka API are told of in the same way. The
// package remembers only what the protocol needs besides: the names that a program
// requires, its URLs, and what it knows.
//
// Data runs in a circle: a request or a probe changes a lease (package lease), the
// next snapshot shows it (package snapshot), and the programs that require the name
// are told (decision 0027).
//
// Strangers name the addresses that this package calls. Which may be called, and
// with what bounds, is decided in one place each: [Targets] and caller (decision 0028).
//
// It is not for programs that register and ask to be told (eureka/client/callback),
// and it neither listens nor shuts down (internal/httpserver).
package callback
