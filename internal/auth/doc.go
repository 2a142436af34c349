// Package auth checks HTTP Basic credentials against a file of users that is
// followed while the program runs.
//
// It is for whoever serves HTTP: it says whether a user and a password go
// together. It is not for what a user may do, and it neither reads requests nor
// writes answers.
package auth
