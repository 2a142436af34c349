// Package lease keeps the instances that registered themselves: each lives by
// its heartbeats and leaves when they stop for as long as its lease says.
//
// Data runs one way: handlers (package api, later peers) call the methods of a
// [Store], and the store tells the registry, as [registry.OwnerLease], what a
// client can see of it. A heartbeat that changes nothing visible never reaches
// the registry. A lease that the registry finds to be the same process as a pod
// is the pod's: it has no clock here, and it ends with the pod.
//
// It is not for reading by clients, which read snapshots, for HTTP (package
// api), or for deciding which lease and which pod are one (package registry).
//
// The rules are those of protocol sections 5.1 to 5.12, except where
// docs/differences.md says otherwise. The main differences: a lease of D seconds
// ends D seconds after the last renewal, not 2·D; what a client reports is never
// taken for an override; and self-preservation counts only what is here now, so
// there is no compensation for a server that was paused: after a pause all
// leases are overdue at once, and then none expires.
package lease
