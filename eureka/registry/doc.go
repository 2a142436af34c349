// Package registry keeps what each owner says of instances, merges it into one
// record per process, and remembers what changed lately.
//
// Data runs one way: owners (pods and leases; peers and bridges later) call
// [Registry.Replace] with all that they have to say under one key, and one
// publisher takes the merged outcome with [Registry.Drain]. An owner can never
// touch what another owner said. A pod and the lease of its application are one
// record, found by where the process is reached; the pod rules it.
//
// It is not for reading by HTTP handlers, which read frozen snapshots (package
// snapshot), and it encodes nothing.
package registry
