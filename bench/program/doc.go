// Package program runs eurekube, built from the sources of this repository, as a
// child process, so that its processor time and memory are its own and not those
// of the load.
//
// It reads /proc and so needs Linux. It is not for tests of behaviour.
package program
