package convertor_test

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/convertor"
	"github.com/eurekube/eurekube/eureka"
)

// FuzzConvert writes any text into the labels and annotations of a ready pod:
// nothing panics, the same pod always gives the same answer, and a listed
// instance is one that every client can read.
func FuzzConvert(f *testing.F) {
	f.Add("orders", "8080", "8081", "shop", "gw.example.com", "DOWN", "", true)
	f.Add("Ünïcode svc", "http", "http", "///", "fd00::1", " up ", "Vip,Two", false)
	f.Add("orders", "80", "80", "a?b#c", "gw", "UP", ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,", true)
	f.Add("a_b", "65536", "-1", "/ /", "[::1", "\x00", "\xff", true)
	f.Fuzz(func(t *testing.T, service, port, management, path, host, status, vip string, labelled bool) {
		put := annotation
		if labelled {
			put = label
		}
		pod := newPod("orders-abc", "10.0.0.5", "orders",
			put("eurekube.io/service", service), put("eurekube.io/port", port), put("eurekube.io/secure-port", port),
			put("eurekube.io/management-port", management), put("eurekube.io/context-path", path),
			annotation("eurekube.io/advertise-host", host), annotation("eurekube.io/advertise-port", port),
			annotation("eurekube.io/status", status), annotation("eurekube.io/vip", vip), annotation("eurekube.io/health-path", path),
			annotation("eurekube.io/geerpc", status),
			annotation("eurekube.io/metadata."+path, host))
		inst, warnings, err := convertor.Convert(pod, defaultRules)
		again, warningsAgain, errAgain := convertor.Convert(pod, defaultRules)
		if diff := cmp.Diff([]any{inst, warnings}, []any{again, warningsAgain}); diff != "" || err != errAgain {
			t.Fatalf("two conversions of one pod differ:\n%s", diff)
		}
		for _, w := range warnings {
			if !slices.Contains(convertor.WarningReasons[:], w.Reason) || strings.ContainsAny(w.Message, "\r\n") {
				t.Errorf("odd warning %+v", w)
			}
		}
		if err != nil {
			if reason, ok := err.(convertor.Reason); !ok || !slices.Contains(convertor.Reasons[:], reason) {
				t.Errorf("error %v is none of the reasons", err)
			}
			return
		}
		checkInstance(t, inst)
		if at := convertor.Endpoints(pod, defaultRules); len(at) != 2 || at[0].Port < 1 || at[0].Port > 65535 {
			t.Errorf("endpoints of a listed pod = %v, want one by its address and one by its name", at)
		}
	})
}

// checkInstance fails for an instance that some client could not read or call.
func checkInstance(t *testing.T, inst *eureka.Instance) {
	t.Helper()
	if inst.ID == "" || inst.HostName == "" || inst.App == "" || inst.VIPAddress == "" {
		t.Errorf("a name is empty: %+v", inst)
	}
	if inst.App != strings.ToUpper(inst.App) || inst.VIPAddress != strings.ToLower(inst.VIPAddress) {
		t.Errorf("app %q is not upper or VIP %q is not lower case", inst.App, inst.VIPAddress)
	}
	if _, err := netip.ParseAddr(inst.IPAddr); err != nil {
		t.Errorf("address: %v", err)
	}
	for _, p := range []eureka.Port{inst.Port, inst.SecurePort} {
		if p.Number < 1 || p.Number > 65535 {
			t.Errorf("port %d", p.Number)
		}
	}
	if _, ok := eureka.ParseStatus(string(inst.Status)); !ok {
		t.Errorf("status %q", inst.Status)
	}
	if len(inst.VIPAddress) > 1<<11 || strings.Count(inst.VIPAddress, ",") >= 32 {
		t.Errorf("%d bytes of VIPs", len(inst.VIPAddress))
	}
	for _, address := range []string{inst.HomePageURL, inst.StatusPageURL, inst.HealthCheckURL} {
		if u, err := url.Parse(address); err != nil || u.RawQuery != "" || u.Fragment != "" {
			t.Errorf("URL %q: %v", address, err)
		}
	}
	// The path is the owner's; scheme, host and port in front of it must stand.
	front := "http://" + inst.HostName + ":" + strconv.Itoa(inst.Port.Number)
	if _, err := url.Parse(front); err != nil || !strings.HasPrefix(inst.HomePageURL, front+"/") {
		t.Errorf("home URL %q does not begin with the valid %q (%v)", inst.HomePageURL, front, err)
	}
	if _, ok := inst.Metadata[""]; ok {
		t.Error("metadata has an empty key")
	}
}
