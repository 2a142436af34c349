// Package spring makes the requests with which Spring Boot applications that
// register themselves keep a Eureka server busy: registrations and heartbeats,
// byte for byte as Spring Cloud 2025.1 sends them, but for names, addresses and
// times.
//
// The same number gives the same application instance. It is for load, so the
// requests are appended and cost next to nothing; it is not a client.
package spring
