// Package events tells who came and who went: [Stream] answers GET stream with
// server-sent events.
//
// Data runs one way: a stream walks the changes that snapshots hold (package
// snapshot), each encoded once for all streams, and waits for the next ones. It has
// no queue: a stream knows how far its client is and nothing else, so that any
// number of slow clients take no more memory than as many quick ones, and hold up
// nobody.
//
// It is not for deciding what is an event (package snapshot), and it knows neither
// paths nor credentials: package api mounts it under the rules of a read.
package events
