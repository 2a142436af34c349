// Package geerpc serves the registry protocol of GeeRPC, in which everything is in
// two headers: a server posts PROTOCOL@HOST:PORT again and again, and a client gets
// the list of all that did so lately.
//
// It keeps no truth of its own (decision 0025). What is posted becomes a lease of
// package lease, as if the server had registered itself over Eureka, and the list
// comes from the snapshot that Eureka clients read. So GeeRPC clients see pods and
// Eureka instances that ask for it, Eureka clients see GeeRPC servers, and who may
// write is decided in one place.
//
// It is not for deciding who may read or write, nor for other methods than GET and
// POST (package api, which it is mounted in), and not for clients (package
// eureka/client/geerpc).
package geerpc
