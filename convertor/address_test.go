package convertor_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/eurekube/eurekube/convertor"
)

// addresses gives the pod its first address and all of them.
func addresses(first string, all ...string) edit {
	return func(p *corev1.Pod) {
		p.Status.PodIP, p.Status.PodIPs = first, nil
		for _, ip := range all {
			p.Status.PodIPs = append(p.Status.PodIPs, corev1.PodIP{IP: ip})
		}
	}
}

func TestAddress(t *testing.T) {
	type want struct{ ID, IPAddr, HostName string }
	v4 := want{ID: "10.1.2.3:orders:8080", IPAddr: "10.1.2.3", HostName: "10.1.2.3"}
	v6 := want{ID: "fd00::3:orders:8080", IPAddr: "fd00::3", HostName: "[fd00::3]"}
	tests := []struct {
		name     string
		family   convertor.IPFamily
		edits    []edit
		want     want
		warnings []convertor.WarningReason
	}{
		{name: "no choice", edits: []edit{addresses("10.1.2.3", "10.1.2.3", "fd00::3")}, want: v4},
		{name: "auto, IPv6 first", family: "auto", edits: []edit{addresses("fd00::3", "fd00::3", "10.1.2.3")}, want: v6},
		{name: "auto, only the list", family: "auto", edits: []edit{addresses("", "fd00::3", "10.1.2.3")}, want: v6},
		{name: "IPv4", family: "ipv4", edits: []edit{addresses("fd00::3", "fd00::3", "10.1.2.3")}, want: v4},
		{name: "IPv6", family: "ipv6", edits: []edit{addresses("10.1.2.3", "10.1.2.3", "fd00::3")}, want: v6},
		{name: "IPv6 without a list", family: "ipv6", edits: []edit{addresses("fd00::3")}, want: v6},
		{name: "no address of the family", family: "ipv6", edits: []edit{addresses("10.1.2.3", "10.1.2.3")}, want: v4, warnings: []convertor.WarningReason{"no-address-of-family"}},
		{name: "a mapped IPv4 address is IPv4", family: "ipv4", edits: []edit{addresses("::ffff:10.1.2.3")}, want: v4},
		{name: "a mapped IPv4 address is not IPv6", family: "ipv6", edits: []edit{addresses("::ffff:10.1.2.3")}, want: v4, warnings: []convertor.WarningReason{"no-address-of-family"}},
		{name: "an address with the zone of some machine", edits: []edit{addresses("fd00::3%eth0")}, want: v6},
		{name: "advertised IPv6 address with a zone", edits: []edit{addresses("10.1.2.3"), annotation("eurekube.io/advertise-host", "fd00::9%eth0")}, want: want{ID: v4.ID, IPAddr: "10.1.2.3", HostName: "[fd00::9]"}},
		{name: "long spelling", edits: []edit{addresses("FD00:0:0:0:0:0:0:3")}, want: v6},
		{name: "a machine's name from a manifest", edits: []edit{addresses("db1.example.com")}, want: want{ID: "db1.example.com:orders:8080", IPAddr: "db1.example.com", HostName: "db1.example.com"}},
		{name: "advertised IPv6 address", edits: []edit{addresses("10.1.2.3"), annotation("eurekube.io/advertise-host", "fd00:0::9")}, want: want{ID: v4.ID, IPAddr: "10.1.2.3", HostName: "[fd00::9]"}},
		{name: "advertised IPv6 address in brackets", edits: []edit{addresses("10.1.2.3"), annotation("eurekube.io/advertise-host", "[fd00::9]")}, want: want{ID: v4.ID, IPAddr: "10.1.2.3", HostName: "[fd00::9]"}},
		{name: "advertised name with its root", edits: []edit{addresses("fd00::3"), annotation("eurekube.io/advertise-host", "Orders.shop.svc.")}, want: want{ID: v6.ID, IPAddr: "fd00::3", HostName: "Orders.shop.svc."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rules := with(func(r *convertor.Rules) { r.IPFamily = tt.family })
			inst, warnings, err := convertor.Convert(newPod("orders-abc", "", "orders", tt.edits...), rules)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "address", want{inst.ID, inst.IPAddr, inst.HostName}, tt.want)
			equal(t, "warnings", reasonsOf(warnings), tt.warnings)
		})
	}
}
