// Package clients holds tests that run real Eureka clients, as processes of their
// own, against the real eurekube program: what they register, how long it stays,
// what they discover, and what they say about it in their logs. Each client is a
// small application in a directory beside this file, with its versions pinned. A
// Spring Eureka server that has eurekube as its peer is tested here, too.
//
// It is for what only the client itself can show. It is not for the wire format or
// for rules about pods, leases and overrides, which the packages that own them
// test, and not for speed. It needs Java 17 and Maven, Node 20 with npm, and Python 3
// with venv.
package clients
