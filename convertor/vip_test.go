package convertor_test

import (
	"strings"
	"testing"

	"github.com/eurekube/eurekube/convertor"
)

func TestVIPBounds(t *testing.T) {
	const bad = convertor.WarningBadVIP
	tests := []struct {
		name, vip, want string
		warnings        []convertor.WarningReason
	}{
		{name: "32 names", vip: strings.Repeat("A,", 31) + "A", want: strings.Repeat("a,", 31) + "a"},
		{name: "33 names", vip: strings.Repeat("A,", 32) + "A", want: "orders", warnings: []convertor.WarningReason{bad}},
		{name: "33 empty names", vip: strings.Repeat(",", 32), want: "orders", warnings: []convertor.WarningReason{bad}},
		{name: "blanks around names", vip: " A, B ", want: "a,b"},
		{name: "a blank in a name", vip: "A,B C", want: "orders", warnings: []convertor.WarningReason{bad}},
		{name: "a tab in a name", vip: "A\tB", want: "orders", warnings: []convertor.WarningReason{bad}},
		{name: "1 KiB", vip: strings.Repeat("A", 1024), want: strings.Repeat("a", 1024)},
		{name: "longer than 1 KiB", vip: strings.Repeat("A", 1025), want: "orders", warnings: []convertor.WarningReason{bad}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pod := newPod("orders-abc", "10.0.0.5", "Orders", annotation("eurekube.io/vip", tt.vip))
			inst, warnings, err := convertor.Convert(pod, defaultRules)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "VIPs", []string{inst.VIPAddress, inst.SecureVIPAddress}, []string{tt.want, tt.want})
			equal(t, "warnings", reasonsOf(warnings), tt.warnings)
		})
	}
}
