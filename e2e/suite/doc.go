// Package suite holds what test programs that run real components have in common:
// how they begin and end, and how they wait for what they expect.
//
// It is for the tests of the e2e module. It is not for what is under test: programs
// are in package binaries, processes in package process, clusters in devcluster.
package suite
