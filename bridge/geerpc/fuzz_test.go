package geerpc

import (
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/eurekube/eurekube/eureka"
)

// FuzzServer posts any text: what is taken can stand in the list and be split
// again as clients do, is listed as it was posted, and is an instance that Eureka
// clients can call.
func FuzzServer(f *testing.F) {
	for _, text := range []string{
		"tcp@[::]:56276", "http@orders.example:80", "tcp@192.0.2.7:9000", "tcp@[fe80::1%eth0]:1", "tcp@:1", "tcp@localhost:1", "tcp@[::ffff:127.0.0.1]:1",
		"unix@/run/rpc.sock", "@a:1", "tcp@a:0", "tcp@a,b:1", "tcp@a@b:1", "tcp@a:1\r\n", "tcp@[a]:1", "tcp@a:00080", "", "@", "tcp@[::1]", strings.Repeat("a", 600) + "@b:1",
	} {
		f.Add(text, "192.0.2.7")
	}
	f.Add("tcp@[::]:1", "fe80::2%eth0")
	f.Add("tcp@[::]:1", "")
	f.Fuzz(func(t *testing.T, text, from string) {
		s, err := parseServer(text)
		if err != nil {
			return
		}
		parts := strings.Split(text, "@")
		if len(text) > 512 || len(parts) != 2 || parts[0] != s.protocol || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == ',' }) {
			t.Fatalf("%q is taken", text)
		}
		if _, _, err := net.SplitHostPort(parts[1]); err != nil {
			t.Fatalf("%q is taken, though clients find %v", text, err)
		}
		sender, _ := netip.ParseAddr(from)
		if sender.Unmap().WithZone("").IsUnspecified() {
			return // no connection comes from there
		}
		inst, ok := s.instance(text, "GEERPC", time.Minute, sender)
		if !ok {
			return
		}
		if got, ok := listed(inst); !ok || got != text {
			t.Errorf("%q is listed as %q, %v", text, got, ok)
		}
		checkInstance(t, inst)
	})
}

// checkInstance fails for an instance that Eureka clients could not call.
func checkInstance(t *testing.T, inst *eureka.Instance) {
	addr, err := netip.ParseAddr(inst.IPAddr)
	if err != nil || addr.Zone() != "" || addr.Is4In6() || addr.IsUnspecified() {
		t.Errorf("address %q: %v; want one that can be called", inst.IPAddr, err)
	}
	host := strings.TrimSuffix(strings.TrimPrefix(inst.HostName, "["), "]")
	if host == "" || strings.Contains(host, ":") == (host == inst.HostName) {
		t.Errorf("host name %q; want a name, IPv4, or IPv6 in brackets", inst.HostName)
	}
	if inst.Port.Number < 1 || inst.Port.Number > 65535 || !inst.Port.Enabled {
		t.Errorf("port %+v; want one that can be called", inst.Port)
	}
	if !Posted(inst) || !strings.HasSuffix(inst.ID, net.JoinHostPort(host, inst.ID[strings.LastIndex(inst.ID, ":")+1:])) {
		t.Errorf("id %q of host %q, posted %v", inst.ID, inst.HostName, Posted(inst))
	}
}
