package snapshot

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/registry"
)

// addressed is an instance with its plain and secure VIP addresses.
type addressed struct{ app, plain, secure string }

// withVIPs is a store of such instances, whose ids are 0, 1, 2 and so on.
func withVIPs(instances ...addressed) *store {
	st := &store{registry.New(time.Now), newSnapshot(1)}
	for n, inst := range instances {
		st.registry.Replace(registry.OwnerPod, fmt.Sprint(n), registry.Listed(&eureka.Instance{
			ID: fmt.Sprint(n), App: inst.app, Status: eureka.StatusUp, VIPAddress: inst.plain, SecureVIPAddress: inst.secure,
		}))
	}
	st.publish()
	return st
}

// found are the ids of the instances that a VIP query finds.
func (st *store) found(t *testing.T, name string, secure bool) []string {
	t.Helper()
	apps, err := codec.DecodeApplications(codec.JSON, read(t, st.VIP(name, secure, codec.JSON, false), false))
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, a := range apps.Applications {
		for _, inst := range a.Instances {
			ids = append(ids, inst.ID)
		}
	}
	return ids
}

func TestPlainAndSecureVIPs(t *testing.T) {
	tests := []struct {
		name          string
		instances     []addressed
		plain, secure []string // ids found by the name "a"
	}{
		{"alike", []addressed{{"A", "a", "a"}, {"A", "b,a", "b,a"}}, []string{"0", "1"}, []string{"0", "1"}},
		{"plain only", []addressed{{"A", "a", ""}}, []string{"0"}, nil},
		{"secure only", []addressed{{"A", "", "a"}}, nil, []string{"0"}},
		{"different instances of one application", []addressed{{"A", "a", "b"}, {"A", "b", "a"}}, []string{"0"}, []string{"1"}},
		{"one more of them", []addressed{{"A", "a", "a"}, {"A", "a", ""}}, []string{"0", "1"}, []string{"0"}},
		{"one more application", []addressed{{"A", "a", "a"}, {"B", "a", ""}}, []string{"0", "1"}, []string{"0"}},
		{"an empty name between", []addressed{{"A", ",,a", "a,"}}, []string{"0"}, []string{"0"}},
		{"twice", []addressed{{"A", "a,a", "a"}}, []string{"0"}, []string{"0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			st := withVIPs(tt.instances...)
			for range 2 { // the second time from what is kept
				if diff := cmp.Diff(tt.plain, st.found(t, "a", false)); diff != "" {
					t.Errorf("plain (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(tt.secure, st.found(t, "a", true)); diff != "" {
					t.Errorf("secure (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestVIPNamesOfOneInstanceAreBounded(t *testing.T) {
	var names []string
	for n := range maxVIPNames + 1 {
		names = append(names, fmt.Sprintf("n%d", n), "") // empty ones are no names
	}
	address := strings.Join(names, ",")
	st := withVIPs(addressed{"A", address, address}, addressed{"A", "n64", "n64"})
	tests := []struct {
		name string
		want []string
	}{
		{"n0", []string{"0"}},
		{"n63", []string{"0"}},
		{"n64", []string{"1"}}, // another instance has it, among its first
	}
	for _, tt := range tests {
		for _, secure := range []bool{false, true} {
			if diff := cmp.Diff(tt.want, st.found(t, tt.name, secure)); diff != "" {
				t.Errorf("instances with %s, secure=%v (-want +got):\n%s", tt.name, secure, diff)
			}
		}
	}
}

// TestManyVIPNamesOfOneApplication would take minutes, more than any test may, if
// each name were compared with every other of the application.
func TestManyVIPNamesOfOneApplication(t *testing.T) {
	instances := make([]addressed, 6000)
	for i := range instances {
		var names []string
		for n := range maxVIPNames {
			names = append(names, fmt.Sprintf("vip-%d-%d", i, n))
		}
		instances[i] = addressed{app: "A", plain: strings.Join(names, ",")}
	}
	st := withVIPs(instances...)
	if diff := cmp.Diff([]string{"5999"}, st.found(t, "vip-5999-63", false)); diff != "" {
		t.Errorf("instances (-want +got):\n%s", diff)
	}
}
