// Package callback is for programs of the callback registry: it registers one,
// answers the registry's probes, keeps what the registry tells of the services that
// the program requires, and chooses among them. The registry may be Eurekube with
// --bridge callback or any other of the protocol.
//
// Make a [Service], have its Handler answer on the server of the program, and run it
// beside that server: the registry calls the program back while it registers.
//
// It is not for calling providers, and not for Eureka itself (package
// eureka/client). It trusts whoever can reach the program's port, as the protocol
// does: nothing tells the registry's calls from those of others.
package callback
