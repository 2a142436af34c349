// Package geerpc is for programs of the GeeRPC framework: it announces a server to
// a registry and chooses among the servers that are announced there. The registry
// may be Eurekube with --bridge geerpc or GeeRPC's own.
//
// A registry is named by its whole URL, such as
// http://eurekube:8761/_geerpc_/registry; a user and a password in it are sent as
// HTTP Basic credentials. Servers are written PROTOCOL@HOST:PORT.
//
// It is not for calling servers, and not for Eureka itself (package eureka/client).
// It keeps no connection open and starts no goroutine that outlives a call.
package geerpc
