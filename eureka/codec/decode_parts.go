package codec

import (
	"math"
	"strings"

	"github.com/eurekube/eurekube/eureka"
)

// port reads a port: an object, an element with an attribute, or a bare number.
func (r *fieldReader) port(n *node, name string, absent eureka.Port) eureka.Port {
	value := n.member(name)
	number := value
	switch value.kind {
	case nodeNull:
		return absent
	case nodeObject:
		number = value.member("$")
	case nodeList:
		r.fail(name, "is no port")
	}
	if number.kind == nodeText && number.text == "" {
		r.fail(name, "has no number")
	}
	return eureka.Port{
		Number:  int(r.boundedOf(number, name, int64(absent.Number), 0, math.MaxUint16)),
		Enabled: r.flag(value.member("@enabled"), name+".@enabled", absent.Enabled),
	}
}

// lease reads a lease. A duration or interval that is not positive is as good
// as none, upstream and here.
func (r *fieldReader) lease(n *node) eureka.Lease {
	if n.kind != nodeObject && !n.isEmpty() {
		r.fail("leaseInfo", "is no object")
	}
	return eureka.Lease{
		RenewalIntervalInSecs: r.seconds(n, "renewalIntervalInSecs", eureka.DefaultRenewalIntervalInSecs),
		DurationInSecs:        r.seconds(n, "durationInSecs", eureka.DefaultDurationInSecs),
		RegistrationTimestamp: r.leaseNumber(n, "registrationTimestamp"),
		LastRenewalTimestamp:  r.numberOf(n.member("lastRenewalTimestamp", "renewalTimestamp"), "leaseInfo.lastRenewalTimestamp", 0),
		EvictionTimestamp:     r.leaseNumber(n, "evictionTimestamp"),
		ServiceUpTimestamp:    r.leaseNumber(n, "serviceUpTimestamp"),
	}
}

// leaseNumber reads an integer of a lease, 0 when absent.
func (r *fieldReader) leaseNumber(n *node, name string) int64 {
	return r.numberOf(n.member(name), "leaseInfo."+name, 0)
}

// seconds reads a positive number of seconds of a lease.
func (r *fieldReader) seconds(n *node, name string, absent int) int {
	number := r.boundedOf(n.member(name), "leaseInfo."+name, 0, math.MinInt32, math.MaxInt32)
	if number <= 0 {
		return absent
	}
	return int(number)
}

// dataCenterInfo reads a data centre. Its class is not read: the name says the
// same, and clients send several. Metadata counts for Amazon alone.
func (r *fieldReader) dataCenterInfo(n *node) eureka.DataCenterInfo {
	if n.kind == nodeNull {
		return eureka.DataCenterInfo{}
	}
	if n.kind != nodeObject && !n.isEmpty() {
		r.fail("dataCenterInfo", "is no object")
	}
	name := r.text(n, "name")
	if name == "" {
		r.fail("dataCenterInfo Name", "") // upstream's words
	}
	for _, known := range [...]string{eureka.DataCenterMyOwn, eureka.DataCenterNetflix, eureka.DataCenterAmazon} {
		if !strings.EqualFold(name, known) {
			continue
		}
		d := eureka.DataCenterInfo{Name: known}
		if known == eureka.DataCenterAmazon {
			d.Metadata = r.metadata(n.member("metadata"), "dataCenterInfo.metadata")
		}
		return d
	}
	r.fail("dataCenterInfo.name", quoted(name)+" is no data centre")
	return eureka.DataCenterInfo{}
}
