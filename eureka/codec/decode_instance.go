package codec

import (
	"math"
	"strings"

	"github.com/eurekube/eurekube/eureka"
)

// instance reads an instance.
func (r *fieldReader) instance(n *node) *eureka.Instance {
	if n.kind != nodeObject && !n.isEmpty() {
		r.fail(instanceName, "is no object")
	}
	i := &eureka.Instance{
		ID:                            r.text(n, "instanceId"),
		HostName:                      r.text(n, "hostName"),
		App:                           strings.ToUpper(r.text(n, "app")),
		IPAddr:                        r.text(n, "ipAddr"),
		SID:                           r.text(n, "sid"),
		Status:                        r.status(n.member("status"), "status", eureka.StatusUp),
		OverriddenStatus:              r.overriddenStatus(n),
		Port:                          r.port(n, "port", eureka.Port{Number: eureka.DefaultPort, Enabled: true}),
		SecurePort:                    r.port(n, "securePort", eureka.Port{Number: eureka.DefaultSecurePort}),
		CountryID:                     int(r.bounded(n, "countryId", eureka.DefaultCountryID, math.MinInt32, math.MaxInt32)),
		DataCenterInfo:                r.dataCenterInfo(n.member("dataCenterInfo")),
		Lease:                         r.lease(n.member("leaseInfo")),
		Metadata:                      r.metadata(n.member("metadata"), "metadata"),
		AppGroupName:                  r.appGroupName(n),
		HomePageURL:                   r.text(n, "homePageUrl"),
		StatusPageURL:                 r.text(n, "statusPageUrl"),
		HealthCheckURL:                r.text(n, "healthCheckUrl"),
		SecureHealthCheckURL:          r.text(n, "secureHealthCheckUrl"),
		VIPAddress:                    r.text(n, "vipAddress"),
		SecureVIPAddress:              r.text(n, "secureVipAddress"),
		IsCoordinatingDiscoveryServer: r.flag(n.member("isCoordinatingDiscoveryServer"), "isCoordinatingDiscoveryServer", false),
		LastUpdatedTimestamp:          r.number(n, "lastUpdatedTimestamp", 0),
		LastDirtyTimestamp:            r.number(n, "lastDirtyTimestamp", 0),
		ActionType:                    actionType(r.text(n, "actionType")),
		ASGName:                       r.text(n, "asgName"),
	}
	i.SID = sid(i)
	return i
}

// overriddenStatus reads the override under either of its spellings. When both are
// there, the last counts and neither may be wrong.
func (r *fieldReader) overriddenStatus(n *node) eureka.Status {
	const name, inXML = "overriddenStatus", "overriddenstatus"
	r.status(n.member(name), name, "")
	r.status(n.member(inXML), name, "")
	return r.status(n.member(name, inXML), name, eureka.StatusUnknown)
}

// appGroupName reads the group.
func (r *fieldReader) appGroupName(n *node) string {
	group := r.text(n, "appGroupName")
	if r.upperGroup {
		return strings.ToUpper(group)
	}
	return group
}

// actionType is the action that word names, none for any other word: the
// server decides it, so a wrong one does no harm.
func actionType(word string) eureka.ActionType {
	switch action := eureka.ActionType(word); action {
	case eureka.ActionAdded, eureka.ActionModified, eureka.ActionDeleted:
		return action
	}
	return ""
}
