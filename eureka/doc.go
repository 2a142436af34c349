// Package eureka holds the words of the Eureka registry: [Instance],
// [Application], [Status], [Lease], [DataCenterInfo] and the hash code over
// them.
//
// It is for every other package to share, so it imports the standard library
// only and does no I/O. It is not for the wire (package codec), for who says
// what of an instance (package registry) or for Kubernetes (package convertor).
//
// The rules come from the Eureka protocol as Netflix and Spring servers speak
// it; what differs on purpose is listed in docs/differences.md.
package eureka
