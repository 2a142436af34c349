// Package differential sends the same requests to Spring Cloud's Eureka server and
// to the eurekube program and compares what they answer: sequences written by hand
// and random ones. After each write it reads what was written, so that a difference
// shows where it begins. What differs must be a row of docs/differences.md, and what
// such a row says must still differ.
//
// It is for the wire and for what a sequence of requests leads to. It is not for
// what comes with time, such as the ends of leases, nor for pods, which Spring's
// server does not know; the packages that own those test them. It needs Java 17 and
// Maven.
//
// A failure names the sequence and shows the shortest one that was found:
//
//	go test ./differential -run /server-boot-3/random -seed 7 -steps 250 # the random one of seed 7
//	go test ./differential -v -run //random -seed 1000 -steps 1000000 -timeout 0
//
// The second goes on for hours, with other sequences than those of CI, and with the
// next one after a failure. With -v it says how far it came.
package differential
