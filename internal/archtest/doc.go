// Package archtest holds the shape of the repository in tests: which package may
// import which, that each says what it is for, and that a target of the Makefile
// runs the tests of each. The picture of it is in docs/architecture.md.
//
// It contains nothing for other packages.
package archtest
