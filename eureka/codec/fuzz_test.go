package codec_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// onWire is what a reader sees of i in f: text without what the format cannot
// hold, and the fields of the compact forms only where f is one.
func onWire(f codec.Form, i *eureka.Instance) *eureka.Instance {
	text := func(s string) string { return string([]rune(s)) } // each byte that is not UTF-8 becomes U+FFFD
	if isXML(f) {
		text = func(s string) string {
			return strings.Map(func(r rune) rune {
				if r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
					return 0xFFFD
				}
				return r
			}, s)
		}
	}
	w := *i
	for _, field := range []*string{
		&w.ID, &w.HostName, &w.App, &w.IPAddr, &w.SID, &w.AppGroupName, &w.VIPAddress, &w.SecureVIPAddress, &w.ASGName,
		&w.HomePageURL, &w.StatusPageURL, &w.HealthCheckURL, &w.SecureHealthCheckURL,
	} {
		*field = text(*field)
	}
	if i.SID == "na" || i.SID == "unknown" {
		w.SID = ""
	}
	w.Metadata = metadataOnWire(i.Metadata, text)
	w.DataCenterInfo.Metadata = nil
	if w.DataCenterInfo.Name == eureka.DataCenterAmazon {
		w.DataCenterInfo.Metadata = metadataOnWire(i.DataCenterInfo.Metadata, text)
	}
	if f == codec.JSON || f == codec.XML {
		return &w
	}
	compactKeys := []string{"instance-id", "public-ipv4", "public-hostname", "local-ipv4", "availability-zone"}
	for key := range w.DataCenterInfo.Metadata {
		if !slices.Contains(compactKeys, key) {
			delete(w.DataCenterInfo.Metadata, key)
		}
	}
	return &eureka.Instance{
		ID: w.ID, App: w.App, IPAddr: w.IPAddr, VIPAddress: w.VIPAddress, SecureVIPAddress: w.SecureVIPAddress,
		DataCenterInfo: w.DataCenterInfo, HostName: w.HostName, Status: w.Status, LastUpdatedTimestamp: w.LastUpdatedTimestamp,
		ActionType: w.ActionType, ASGName: w.ASGName, Port: w.Port, SecurePort: w.SecurePort,
	}
}

// metadataOnWire is what a reader sees of m. Keys hold any character in both
// formats; of two that become the same the later one wins.
func metadataOnWire(m map[string]string, text func(string) string) map[string]string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	w := make(map[string]string)
	for _, key := range keys {
		if key != "" && key != "@class" {
			w[string([]rune(key))] = text(m[key])
		}
	}
	return w
}

// decodedFrom is what our decoders make of w, which a plain reader saw: they
// fill defaults and know upper case where upstream does.
func decodedFrom(f codec.Form, w *eureka.Instance) *eureka.Instance {
	d := w.Clone()
	if f == codec.JSONCompact || f == codec.XMLCompact {
		fillAbsent([]*eureka.Instance{d})
	}
	if !isXML(f) {
		d.AppGroupName = strings.ToUpper(d.AppGroupName)
	}
	if d.Lease.RenewalIntervalInSecs <= 0 {
		d.Lease.RenewalIntervalInSecs = 30
	}
	if d.Lease.DurationInSecs <= 0 {
		d.Lease.DurationInSecs = 90
	}
	return d
}

// FuzzEncode wants every instance to be read back with the same values, by the
// standard library and by our decoders, out of every form.
func FuzzEncode(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x02\x03a:b\x04<\x00>&\x00\x02\xff\xfe"))
	f.Add(bytes.Repeat([]byte("\x04_$\r\n"), 60))
	f.Add(bytes.Repeat([]byte("\x03\x03😀"), 60))
	random := rand.NewChaCha8([32]byte{})
	for range 50 {
		data := make([]byte, 500)
		_, _ = random.Read(data) // it never fails
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b := fuzzBytes(data)
		i := b.instance()
		app := eureka.Application{Name: i.App, Instances: []*eureka.Instance{i}}
		apps := &eureka.Applications{VersionsDelta: int64(b.number()), AppsHashCode: "UP_1_", Applications: []eureka.Application{app}}
		for f := range codec.Form(codec.Forms) {
			body := f.AppendApplications(nil, apps)
			w := onWire(f, i)
			want := &eureka.Applications{
				VersionsDelta: apps.VersionsDelta, AppsHashCode: apps.AppsHashCode,
				Applications: []eureka.Application{{Name: w.App, Instances: []*eureka.Instance{w}}},
			}
			plain, err := readPlainApplications(f, body)
			if err != nil {
				t.Fatalf("%v: plain reading of %q: %v", f, body, err)
			}
			if diff := cmp.Diff(want, plain, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%v: plain reading of %q differs (-want +got):\n%s", f, body, diff)
			}
			want.Applications[0].Instances[0] = decodedFrom(f, w)
			ours, err := codec.DecodeApplications(f, body)
			if err != nil {
				t.Fatalf("DecodeApplications(%v, %q): %v", f, body, err)
			}
			if diff := cmp.Diff(want, ours, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("DecodeApplications(%v, %q) differs (-want +got):\n%s", f, body, diff)
			}
		}
	})
}

// FuzzDecode throws bytes at the decoders: an instance that comes out has
// valid fields and comes out again when it was encoded, and what is read as
// JSON begins with a JSON value.
func FuzzDecode(f *testing.F) {
	for _, r := range append(recordings(f, "registrations.json"), recordings(f, "clients.json")...) {
		if r.Form == "xml" {
			f.Add(uint8(codec.XML), []byte(r.Body))
		} else {
			f.Add(uint8(codec.JSON), []byte(r.Body))
		}
	}
	f.Add(uint8(codec.XML), []byte(`<instance><?a?><!--b--><metadata><_.d83d a='"'>&#x0;<![CDATA[x]]></_.d83d></metadata></instance>`))
	f.Fuzz(func(t *testing.T, form uint8, body []byte) {
		f := codec.Form(form % codec.Forms)
		for _, decode := range []func() error{
			func() error { _, err := codec.DecodeApplication(f, body); return err },
			func() error { _, err := codec.DecodeApplications(f, body); return err },
		} {
			checkError(t, decode())
		}
		i, err := codec.DecodeInstance(f, body)
		if err != nil {
			checkError(t, err)
			return
		}
		if !isXML(f) {
			var v any
			if err := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, []byte("\uFEFF")))).Decode(&v); err != nil {
				t.Fatalf("DecodeInstance(%v, %q) reads what is no JSON: %v", f, body, err)
			}
		}
		checkInstance(t, i)
		full := f % 2 // a single instance is never compact
		again, err := codec.DecodeInstance(f, f.AppendInstance(nil, i))
		if err != nil {
			t.Fatalf("decoding %+v again: %v", i, err)
		}
		if diff := cmp.Diff(decodedFrom(full, onWire(full, i)), again, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("decoding again differs (-want +got):\n%s", diff)
		}
	})
}

// checkError wants an error to be of the two documented types.
func checkError(t *testing.T, err error) {
	t.Helper()
	var syntax *codec.SyntaxError
	var field *codec.FieldError
	if err == nil || errors.As(err, &syntax) || errors.As(err, &field) && field.Field != "" {
		return
	}
	t.Errorf("error %#v is neither a SyntaxError nor a FieldError", err)
}

// checkInstance wants every field of a decoded instance to be one that other
// packages may rely on.
func checkInstance(t *testing.T, i *eureka.Instance) {
	t.Helper()
	for _, s := range []eureka.Status{i.Status, i.OverriddenStatus} {
		if !slices.Contains(eureka.Statuses[:], s) {
			t.Errorf("status %q is none", s)
		}
	}
	for _, p := range []eureka.Port{i.Port, i.SecurePort} {
		if p.Number < 0 || p.Number > 65535 {
			t.Errorf("port %d is none", p.Number)
		}
	}
	if i.App != strings.ToUpper(i.App) {
		t.Errorf("app %q is not in upper case", i.App)
	}
	if i.Lease.DurationInSecs <= 0 || i.Lease.RenewalIntervalInSecs <= 0 {
		t.Errorf("lease %+v is over before it begins", i.Lease)
	}
	for _, m := range []map[string]string{i.Metadata, i.DataCenterInfo.Metadata} {
		if _, ok := m[""]; ok {
			t.Errorf("metadata %q has an empty key", m)
		}
	}
}
