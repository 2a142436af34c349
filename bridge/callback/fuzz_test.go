package callback

import (
	"net/netip"
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever is registered can be listed, encoded and called.
func FuzzParseRegistration(f *testing.F) {
	f.Add(valid("", ""))
	f.Add(valid("ServiceURL", `"http:localhost:4000"`))
	f.Add(valid("HeartbeatURL", `"http://[::ffff:a9fe:a9fe]/"`))
	f.Add(`{"servicename":"ß","SERVICEURL":"https://0x7f.1","heartbeaturl":"http://a"}`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := parseRegistration([]byte(text))
		if err != nil {
			if !utf8.ValidString(err.Error()) || len(err.Error()) > 4<<10 {
				t.Errorf("the reason is %q", err)
			}
			return
		}
		inst := r.instance(netip.MustParseAddr("10.0.0.9"))
		switch {
		case inst.App == "" || inst.App != strings.ToUpper(inst.App):
			t.Errorf("app %q", inst.App)
		case inst.ID == "" || inst.HostName == "" || inst.IPAddr == "":
			t.Errorf("id %q, host %q, address %q", inst.ID, inst.HostName, inst.IPAddr)
		case inst.Port.Enabled == inst.SecurePort.Enabled:
			t.Errorf("ports %v and %v", inst.Port, inst.SecurePort)
		case urlOf(inst) != r.serviceURL:
			t.Errorf("%q is told as %q", r.serviceURL, urlOf(inst))
		}
	})
}

// A URL means the same when it is read again as it is called, and its host is an
// address or a name, never both.
func FuzzParseEndpoint(f *testing.F) {
	for _, text := range []string{"http:localhost:4000", "https://[fd00::1]:1/a?b", "http://0177.1/", "http://%31.2.3.4", "http://a@b", "HTTP://A.:1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := parseEndpoint(text)
		if err != nil {
			return
		}
		again, err := parseEndpoint(e.url.String())
		if err != nil || again.url.String() != e.url.String() || again.id() != e.id() {
			t.Errorf("%q is %q, and that is %v, %v", text, e.url, again.url, err)
		}
		addr, err := netip.ParseAddr(e.host)
		if isAddress := err == nil; isAddress != e.addr.IsValid() || isAddress && addr != e.addr {
			t.Errorf("%q has the host %q and the address %v", text, e.host, e.addr)
		}
	})
}
