// Package dashboard is the page for people: which applications are listed, how
// many instances of each in which status, and the hash over all.
//
// It reads the current snapshot and nothing else; while there is none it says what
// is waited for. It is not for programs, which read package api, and it explains no
// pod that is missing: /pods on the admin port does.
package dashboard
