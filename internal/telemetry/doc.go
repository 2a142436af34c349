// Package telemetry answers the people and programs that operate the server:
// metrics, probes and profiles, all on one handler for the admin port.
//
// It is not for what is measured: each package registers its own metrics with
// the registry it is given and decides itself whether it is ready.
package telemetry
