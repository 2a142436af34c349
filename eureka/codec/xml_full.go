package codec

import "github.com/eurekube/eurekube/eureka"

// application writes an application; whether it is compact follows from the
// layout, since only full XML is indented.
func (w *xmlWriter) application(app *eureka.Application) {
	w.open("application")
	w.text("name", app.Name)
	for _, i := range app.Instances {
		if w.pretty {
			w.instance("instance", i)
		} else {
			w.compactInstance(i)
		}
	}
	w.close("application")
}

// instance writes an instance in full, in upstream's order (protocol
// section 4.7), under the given element name.
func (w *xmlWriter) instance(name string, i *eureka.Instance) {
	w.open(name)
	w.optional("instanceId", i.ID)
	w.optional("hostName", i.HostName)
	w.optional("app", i.App)
	w.optional("ipAddr", i.IPAddr)
	w.optional("sid", sid(i))
	w.text("status", statusWord(i.Status))
	w.text("overriddenstatus", statusWord(i.OverriddenStatus)) // all lower case, in XML alone
	w.port("port", i.Port)
	w.port("securePort", i.SecurePort)
	w.number("countryId", int64(i.CountryID))
	w.dataCenterInfo(i.DataCenterInfo)
	w.lease(i.Lease)
	w.metadata(i.Metadata)
	w.optional("appGroupName", i.AppGroupName)
	w.optional("homePageUrl", i.HomePageURL)
	w.optional("statusPageUrl", i.StatusPageURL)
	w.optional("healthCheckUrl", i.HealthCheckURL)
	w.optional("secureHealthCheckUrl", i.SecureHealthCheckURL)
	w.optional("vipAddress", i.VIPAddress)
	w.optional("secureVipAddress", i.SecureVIPAddress)
	w.text("isCoordinatingDiscoveryServer", boolWord(i.IsCoordinatingDiscoveryServer))
	w.number("lastUpdatedTimestamp", i.LastUpdatedTimestamp)
	w.number("lastDirtyTimestamp", i.LastDirtyTimestamp)
	w.optional("actionType", string(i.ActionType))
	w.optional("asgName", i.ASGName)
	w.close(name)
}

// lease writes the lease.
func (w *xmlWriter) lease(l eureka.Lease) {
	w.open("leaseInfo")
	w.number("renewalIntervalInSecs", int64(l.RenewalIntervalInSecs))
	w.number("durationInSecs", int64(l.DurationInSecs))
	w.number("registrationTimestamp", l.RegistrationTimestamp)
	w.number("lastRenewalTimestamp", l.LastRenewalTimestamp)
	w.number("evictionTimestamp", l.EvictionTimestamp)
	w.number("serviceUpTimestamp", l.ServiceUpTimestamp)
	w.close("leaseInfo")
}
