package registry

import "testing"

// vip is the name of a VIP as a client of that instance looks it up.
func vip(name string) Name { return Name{vipName, name} }

func TestTrespass(t *testing.T) {
	pod := aPod(func(c *Claim) {
		c.Instance.VIPAddress, c.Instance.SecureVIPAddress = "orders,api.Orders", "secure-orders"
	})
	stranger := up("EVIL", "x", 1)
	tests := []struct {
		name          string
		vip, svip, id string
		address, host string
		want          string // the name that is not to be had, empty for none
	}{
		{name: "names of its own", vip: "evil", address: "10.6.6.6"},
		{name: "a VIP name", vip: "orders", address: "10.6.6.6", want: "the VIP name ORDERS"},
		{name: "in another case, which Java does not tell apart", vip: "oRdErS", address: "10.6.6.6", want: "the VIP name ORDERS"},
		{name: "among others", vip: "evil,, api.orders", address: "10.6.6.6", want: "the VIP name API.ORDERS"},
		{name: "as a secure VIP name", vip: "evil", svip: "orders", address: "10.6.6.6", want: "the VIP name ORDERS"},
		{name: "a secure one as a VIP name", vip: "secure-orders", address: "10.6.6.6", want: "the VIP name SECURE-ORDERS"},
		{name: "a part of a name", vip: "order", address: "10.6.6.6"},
		{name: "an id as a VIP name", vip: "10.0.0.5:orders:8080", address: "10.6.6.6"},
		{name: "an id in another app", id: podID, address: "10.6.6.6", want: "the id " + podID},
		{name: "an id in another case, which is another id", id: "10.0.0.5:ORDERS:8080", address: "10.6.6.6"},
		{name: "the pod itself", vip: "orders", id: podID, address: "10.0.0.5", host: "orders-7d9-abc"},
		{name: "the pod's address and another host", vip: "orders", address: "10.0.0.5", host: "evil", want: "the VIP name ORDERS"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := New(newClock().now)
			inst := *stranger
			inst.VIPAddress, inst.SecureVIPAddress = tt.vip, tt.svip
			if tt.id != "" {
				inst.ID = tt.id
			}
			names := NamesOf(&inst)
			if name, ok := r.Trespass(names, tt.address, tt.host); ok {
				t.Errorf("Trespass without pods = %s", name)
			}
			for _, c := range []Claim{pod, aPod(hidden, func(c *Claim) { c.Instance = pod.Instance })} {
				r.Replace(OwnerPod, podKey, c)
				name, ok := r.Trespass(names, tt.address, tt.host)
				if ok != (tt.want != "") || ok && name.String() != tt.want {
					t.Errorf("Trespass = %s, %v; want %q", name, ok, tt.want)
				}
			}
			r.Replace(OwnerPod, podKey)
			if name, ok := r.Trespass(names, tt.address, tt.host); ok {
				t.Errorf("Trespass after the pod's end = %s", name)
			}
		})
	}
}

// TestHoldersFollowThePods changes pods that share names and a host, and looks
// for what is left behind.
func TestHoldersFollowThePods(t *testing.T) {
	r := New(newClock().now)
	first := func(address string) {
		c := aPod(func(c *Claim) {
			c.Instance.VIPAddress = "orders,first"
			c.Endpoints = []Endpoint{{address, 8080}, {address, 9090}}
		})
		r.Replace(OwnerPod, podKey, c)
	}
	second := up("ORDERS", "second", 1)
	second.VIPAddress = "orders"
	r.Replace(OwnerPod, "shop/second/uid", Listed(second, Endpoint{"10.0.0.7", 8080}))
	first("10.0.0.5")
	first("10.0.0.6") // a new address of the same pod
	for address, want := range map[string]bool{"10.0.0.5": false, "10.0.0.6": true, "10.0.0.7": true, "": false} {
		for _, name := range []Name{vip("ORDERS"), AppName("ORDERS")} {
			if got := r.PodHolds(name, address, ""); got != want {
				t.Errorf("PodHolds(%s, %q) = %v, want %v", name, address, got, want)
			}
		}
	}
	if r.PodHolds(vip("FIRST"), "10.0.0.7", "") {
		t.Error("a pod holds the VIP name of another")
	}
	r.Replace(OwnerLease, leaseKey, itsLease(at("10.0.0.8", 8080)))
	if r.PodHolds(AppName("ORDERS"), "10.0.0.8", "") {
		t.Error("what only registered itself holds a name")
	}
	r.Replace(OwnerPod, podKey)
	if _, ok := r.Trespass([]Name{vip("ORDERS")}, "10.6.6.6", ""); !ok {
		t.Error("the end of one of two pods frees their name")
	}
	r.Replace(OwnerPod, "shop/second/uid")
	if len(r.holders.pods)+len(r.holders.byHost) > 0 {
		t.Errorf("left behind: %v %v", r.holders.pods, r.holders.byHost)
	}
}

func TestHostNamesOfAPod(t *testing.T) {
	r := New(newClock().now)
	c := aPod(func(c *Claim) {
		c.Instance.HostName = "Orders.example.com" // what its annotation advertises
		c.Endpoints = []Endpoint{{"10.0.0.5", 8080}, {"fd00::5", 8080}, {"orders-0", 8080}}
	})
	r.Replace(OwnerPod, podKey, c)
	tests := []struct {
		host string
		want bool
	}{
		{"10.0.0.5", true},
		{"fd00::5", true},
		{"orders-0", true},
		{"orders-0.", true},
		{"orders.example.com", true},
		{"orders-0.orders", true},
		{"orders-0.orders.shop", true},
		{"orders-0.orders.shop.svc", true},
		{"orders-0.orders.shop.svc.cluster.local", true},
		{"orders-0.orders.shop.svc.cluster.local.", true},
		{"orders-0.orders.shop.svc.corp.example", true},
		{"10-0-0-5.shop.pod", true},
		{"10-0-0-5.shop.pod.cluster.local", true},
		{"10-0-0-5.orders.shop.svc.cluster.local", true},
		{"fd00--5.shop.pod.cluster.local", true},
		{"orders-1.orders.shop.svc.cluster.local", false},
		{"orders-0.orders.other.svc.cluster.local", false},
		{"orders-0.evil.example", false},
		{"orders-0.orders.shop.evil.example", false},
		{"orders-0.orders.shop.svcs", false},
		{"10-0-0-6.shop.pod.cluster.local", false},
		{"10-0-0-5.other.pod.cluster.local", false},
		{"10-0-0-5.shop.evil.example", false},
		{"10-0-0-5", false},
		{"www.example.com", false},
		{"10.0.0.5.evil.example", false},
	}
	for _, tt := range tests {
		t.Run(tt.host, func(t *testing.T) {
			if got := r.PodHolds(AppName("ORDERS"), "10.0.0.5", tt.host); got != tt.want {
				t.Errorf("PodHolds by host %q = %v, want %v", tt.host, got, tt.want)
			}
			if r.PodHolds(AppName("ORDERS"), "10.0.0.6", tt.host) {
				t.Error("a name of the pod makes another address the pod's")
			}
		})
	}
}
