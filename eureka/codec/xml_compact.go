package codec

import "github.com/eurekube/eurekube/eureka"

// compactInstance writes an instance of compact XML: the fields of compact
// JSON in the same order (protocol section 4.8).
func (w *xmlWriter) compactInstance(i *eureka.Instance) {
	w.open("instance")
	w.optional("instanceId", i.ID)
	w.optional("app", i.App)
	w.optional("ipAddr", i.IPAddr)
	w.optional("vipAddress", i.VIPAddress)
	w.optional("secureVipAddress", i.SecureVIPAddress)
	w.dataCenterInfo(i.DataCenterInfo)
	w.optional("hostName", i.HostName)
	w.text("status", statusWord(i.Status))
	w.number("lastUpdatedTimestamp", i.LastUpdatedTimestamp)
	w.optional("actionType", string(i.ActionType))
	w.optional("asgName", i.ASGName)
	w.port("port", i.Port)
	w.port("securePort", i.SecurePort)
	w.close("instance")
}
