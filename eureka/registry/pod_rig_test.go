package registry

import "github.com/eurekube/eurekube/eureka"

// aPod is the claim of a pod of ORDERS at 10.0.0.5:8080.
func aPod(change ...func(*Claim)) Claim {
	inst := up("ORDERS", "10.0.0.5:orders:8080", 5)
	inst.Metadata = map[string]string{"version": "1.0", "pod": "orders-7d9-abc"}
	c := Listed(inst, Endpoint{"10.0.0.5", 8080}, Endpoint{"orders-7d9-abc", 8080})
	for _, f := range change {
		f(&c)
	}
	return c
}

// itsLease is what the application of aPod registers.
func itsLease(change ...func(*Claim)) Claim {
	inst := up("ORDERS", "orders-7d9-abc:orders:8080", 7)
	inst.Metadata = map[string]string{"version": "the application's", "k": "v"}
	c := Listed(inst, Endpoint{"10.0.0.5", 8080}, Endpoint{"orders-7d9-abc", 8080})
	for _, f := range change {
		f(&c)
	}
	return c
}

func hidden(c *Claim) { c.Hidden = true }

func status(s eureka.Status) func(*Claim) {
	return func(c *Claim) { c.Instance.Status = s }
}

func at(host string, port int) func(*Claim) {
	return func(c *Claim) { c.Endpoints = []Endpoint{{host, port}} }
}

var leaseKey = LeaseKey("ORDERS", leaseID)
