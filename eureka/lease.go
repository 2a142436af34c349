package eureka

// Lease says how long an instance stays listed without a sign of life, and
// when it gave the last one. Its name on the wire is leaseInfo.
type Lease struct {
	// RenewalIntervalInSecs is how often the instance promises to renew.
	RenewalIntervalInSecs int
	// DurationInSecs is how long after a renewal the lease is over.
	DurationInSecs int
	// The four timestamps are milliseconds since 1970, 0 for never.
	RegistrationTimestamp int64
	LastRenewalTimestamp  int64
	EvictionTimestamp     int64
	ServiceUpTimestamp    int64
}

// The lease of an instance that asks for none, in seconds (protocol section 5.6).
const (
	DefaultRenewalIntervalInSecs = 30
	DefaultDurationInSecs        = 90
)
