// Package figure measures what the project promises of its speed and size, each
// promise in a function of its own: reads beside a bare handler, freshness, CPU
// per change, gzip size, start, many polling clients, many streams of events, a Go
// client that follows one, and what it costs to be written to: heartbeats, registrations, leases.
//
// The benchmarks and the table of cmd/mustreach call the same functions. Nothing
// here fails because of time: functions return figures, and errors only when an
// answer was wrong or missing. It is for machines with two cores and more, and
// it is not for comparing machines.
package figure
