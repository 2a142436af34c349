// Package app is the program: its commands, its options and the actors that
// serve runs. It is where packages that do not know each other meet.
//
// It is not for anything that a library could do: what pods mean is in package
// convertor, what clients get in eureka/api.
package app
