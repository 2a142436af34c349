// Package api answers the Eureka HTTP API: reads from snapshots, writing bytes
// that are ready already, and writes by handing what instances say of themselves
// to the leases.
//
// It is for clients of the registry and for peers. It routes, negotiates form and
// compression, decodes, judges whether a registration is complete, and asks for
// credentials where the configuration does. It decides nothing about what is
// listed (packages controller, lease and registry), encodes no collection itself
// (packages snapshot and codec), and neither listens nor shuts down (package
// internal/httpserver).
package api
