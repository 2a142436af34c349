// Package archtest holds the shape of the module in tests: which package may
// import which, and that each says what it is for. The picture of it is in
// docs/architecture.md.
//
// It contains nothing for other packages.
package archtest
