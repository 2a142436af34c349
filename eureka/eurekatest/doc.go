// Package eurekatest holds acceptance tests for servers of the Eureka HTTP API,
// which anyone can point at a base URL:
//
//	go run ./eureka/eurekatest/cmd/eurekatest http://localhost:8761/eureka
//
// A check registers instances under application names of its own, reads what the
// server says of them, and takes them away again, so that a server in use may be
// tested too. It speaks plain HTTP and decodes with the standard library alone: a
// mistake that this module's client, codec and server share cannot hide.
//
// It is not for load, and not for what depends on pods.
package eurekatest
