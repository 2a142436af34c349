package api

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// register takes an instance that registers itself, also when it did before
// (protocol section 3.5). Clients take no other status than 204 for success.
func (a *API) register(w *response, r *http.Request) error {
	form, body, err := a.readDocument(w, r)
	if err != nil {
		return err
	}
	inst, err := codec.DecodeInstance(form, body)
	if err := complete(inst, strings.ToUpper(variable(r, "app")), err); err != nil {
		return err
	}
	if err := a.config.Leases.Register(a.by(r, isReplica(r)), inst, sender(r), isReplica(r) && a.knowsWriters()); err != nil {
		return err
	}
	if a.config.ShownUnlessFlooded != nil && !isReplica(r) {
		a.config.ShownUnlessFlooded(r.Context()) // who registers often looks at once; one of thousands does not
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// complete judges a decoded instance that registers under app, and fills in what
// it may lack. What it must not lack is told in upstream's words and order
// (protocol section 3.5), one thing at a time, and then by the name that the sender
// has to write. The error of decoding goes first unless it is one of these.
func complete(inst *eureka.Instance, app string, decoding error) error {
	var field *codec.FieldError
	missing := errors.As(decoding, &field) && field.Problem == "" // in the data centre: nothing else is the decoder's to miss
	if decoding != nil && !missing {
		return badRequest(decoding.Error())
	}
	if inst.App == "" {
		inst.App = app // field case 9
	}
	inst.ID = effectiveID(inst)
	reason := ""
	switch {
	case inst.ID == "":
		reason = "Missing instanceId: neither it nor hostName is given"
	case inst.HostName == "":
		reason = "Missing hostname: hostName is not given"
	case inst.IPAddr == "":
		reason = "Missing ip address: ipAddr is not given"
	case inst.App != app:
		reason = fmt.Sprintf("Mismatched appName, expecting %s but was %s", app, inst.App)
	case missing:
		reason = field.Error() + ": dataCenterInfo.name is not given"
	case inst.DataCenterInfo.Name == "":
		reason = "Missing dataCenterInfo: dataCenterInfo.name is not given"
	}
	if reason != "" {
		return &refusal{code: http.StatusBadRequest, reason: reason, asNegotiated: true}
	}
	if name := deadPort(inst); name != "" {
		return badRequest(name + ": 0 is enabled; give a number from 1 to 65535")
	}
	own(inst, time.Now().UnixMilli())
	return nil
}

// deadPort names the port that is advertised though nobody can call it, empty for
// none. 0 is fine for one that is not in use.
func deadPort(inst *eureka.Instance) string {
	switch {
	case inst.Port.Enabled && inst.Port.Number == 0:
		return "port"
	case inst.SecurePort.Enabled && inst.SecurePort.Number == 0:
		return "securePort"
	}
	return ""
}

// amazonID is the metadata key of Amazon's name for a machine.
const amazonID = "instance-id"

// effectiveID is what an instance is called by (protocol section 5.1, field case
// 14).
func effectiveID(inst *eureka.Instance) string {
	if inst.ID != "" {
		return inst.ID
	}
	if id := inst.DataCenterInfo.Metadata[amazonID]; id != "" {
		return id
	}
	return inst.HostName
}

// own overwrites what is the server's to say (protocol section 5.22), and fills
// in the defaults that clients rely on.
func own(inst *eureka.Instance, now int64) {
	if inst.VIPAddress == "" {
		inst.VIPAddress = strings.ToLower(inst.App) // field case 10
	}
	if inst.LastDirtyTimestamp == 0 {
		inst.LastDirtyTimestamp = now
	}
	if dc := &inst.DataCenterInfo; dc.Name == eureka.DataCenterAmazon && dc.Metadata[amazonID] == "" {
		if dc.Metadata == nil {
			dc.Metadata = make(map[string]string, 1)
		}
		dc.Metadata[amazonID] = inst.ID
	}
	inst.LastUpdatedTimestamp = now
	inst.ActionType = ""
	inst.IsCoordinatingDiscoveryServer = false
	inst.Lease = eureka.Lease{RenewalIntervalInSecs: inst.Lease.RenewalIntervalInSecs, DurationInSecs: inst.Lease.DurationInSecs}
}

// sender is the address that a request came from. Headers of proxies are not
// believed: anybody can write them.
func sender(r *http.Request) netip.Addr {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{} // belongs to nobody
	}
	return at.Addr().Unmap()
}

// isReplica reports whether a peer passes on what a client said (protocol
// section 2.5). The value is compared as upstream does.
func isReplica(r *http.Request) bool {
	return r.Header.Get("X-Netflix-Discovery-Replication") == "true"
}
