package eureka

// Application is all instances that share one upper-cased name. One without
// instances is never listed.
type Application struct {
	// Name is in upper case and equals App of every instance.
	Name string
	// Instances have different IDs. In a delta the deleted ones come last:
	// Java clients that do not know the app import it whole at the first
	// entry and would keep a deleted one that stands before it.
	Instances []*Instance
}

// Applications is the answer to a collection read.
type Applications struct {
	// VersionsDelta moves with every change that a client can see; -1 in
	// answers to VIP queries (protocol section 3.12).
	VersionsDelta int64
	// AppsHashCode is the hash over the whole registry, also in a delta; over
	// the listed instances in answers to VIP queries.
	AppsHashCode string
	Applications []Application
}
