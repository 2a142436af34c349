// Package api answers the Eureka HTTP API from snapshots: it routes, negotiates
// form and compression, and writes bytes that are ready already.
//
// It is for clients of the registry. It decides nothing about what is listed
// (packages controller and registry), encodes no collection itself (packages
// snapshot and codec), and neither listens nor shuts down (package
// internal/httpserver).
package api
