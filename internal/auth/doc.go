// Package auth checks HTTP Basic credentials against a file of users that is
// followed while the program runs.
//
// It is for whoever serves HTTP: it says whether a user and a password go
// together, and which status a request deserves for what it shows. It is not for
// what a user may do, and it writes no answers.
package auth
