// Package acceptance runs the program eurekatest, as anybody can, against the
// eurekube program and against Spring's Eureka servers: what they all do is no
// difference, and what is marked as one is.
//
// The checks are those of eureka/eurekatest; none is added here.
package acceptance
