package eureka

import "maps"

// Instance is one running process as Eureka lists it. Text fields that are
// empty are left out on the wire.
//
// An Instance that was handed to a registry or taken from one is shared by
// many goroutines and must not be changed, its maps included; change a
// [Instance.Clone].
type Instance struct {
	// ID is the instanceId: opaque, case-sensitive, unique within its app.
	ID string
	// HostName is the host that clients call: a name, an IPv4 address, or an
	// IPv6 address in brackets, since clients build URLs from it.
	HostName string
	// App is the application name, always in upper case.
	App string
	// IPAddr is the address without brackets.
	IPAddr string
	// SID is a relic of Netflix; "na" and "unknown" are not written.
	SID string
	// Status is what clients act on.
	Status Status
	// OverriddenStatus is the status that an operator set, StatusUnknown when
	// none did.
	OverriddenStatus Status
	Port             Port
	SecurePort       Port
	// CountryID is 1 for everybody.
	CountryID      int
	DataCenterInfo DataCenterInfo
	Lease          Lease
	// Metadata may be nil. Keys and values are any text.
	Metadata             map[string]string
	AppGroupName         string
	HomePageURL          string
	StatusPageURL        string
	HealthCheckURL       string
	SecureHealthCheckURL string
	// VIPAddress and SecureVIPAddress are comma-separated logical names.
	VIPAddress       string
	SecureVIPAddress string
	// IsCoordinatingDiscoveryServer is true only for the serving server itself.
	IsCoordinatingDiscoveryServer bool
	// LastUpdatedTimestamp is when the registry saw the latest change, in
	// milliseconds since 1970.
	LastUpdatedTimestamp int64
	// LastDirtyTimestamp is when the description changed at its source, in
	// milliseconds since 1970.
	LastDirtyTimestamp int64
	// ActionType is the latest action, empty before an instance is listed.
	ActionType ActionType
	// ASGName is the AWS auto-scaling group, passed on unread.
	ASGName string
}

// Port is a port number, from 0 to 65535, and whether clients may use it.
type Port struct {
	Number  int
	Enabled bool
}

// The ports that the protocol assumes for an instance that names none.
const (
	DefaultPort       = 7001
	DefaultSecurePort = 7002
)

// DefaultCountryID is the countryId of an instance that names none.
const DefaultCountryID = 1

// Clone copies i with maps of its own.
func (i *Instance) Clone() *Instance {
	c := *i
	c.Metadata = maps.Clone(i.Metadata)
	c.DataCenterInfo.Metadata = maps.Clone(i.DataCenterInfo.Metadata)
	return &c
}

// SameDescription reports whether a client could not tell i and other apart
// but for their clocks: every field is equal except the action, the lease's
// timestamps and the two timestamps of the change. An empty map equals nil.
func (i *Instance) SameDescription(other *Instance) bool {
	return i.sameAddress(other) && i.sameStanding(other) &&
		i.DataCenterInfo.Name == other.DataCenterInfo.Name &&
		maps.Equal(i.DataCenterInfo.Metadata, other.DataCenterInfo.Metadata) &&
		maps.Equal(i.Metadata, other.Metadata)
}

// sameAddress compares what clients call the instance by.
func (i *Instance) sameAddress(other *Instance) bool {
	return i.HostName == other.HostName && i.IPAddr == other.IPAddr &&
		i.Port == other.Port && i.SecurePort == other.SecurePort &&
		i.HomePageURL == other.HomePageURL && i.StatusPageURL == other.StatusPageURL &&
		i.HealthCheckURL == other.HealthCheckURL && i.SecureHealthCheckURL == other.SecureHealthCheckURL &&
		i.VIPAddress == other.VIPAddress && i.SecureVIPAddress == other.SecureVIPAddress
}

// sameStanding compares who the instance is and how it stands.
func (i *Instance) sameStanding(other *Instance) bool {
	return i.ID == other.ID && i.App == other.App && i.SID == other.SID &&
		i.Status == other.Status && i.OverriddenStatus == other.OverriddenStatus &&
		i.Lease.RenewalIntervalInSecs == other.Lease.RenewalIntervalInSecs &&
		i.Lease.DurationInSecs == other.Lease.DurationInSecs &&
		i.CountryID == other.CountryID && i.AppGroupName == other.AppGroupName && i.ASGName == other.ASGName &&
		i.IsCoordinatingDiscoveryServer == other.IsCoordinatingDiscoveryServer
}
