package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
)

func TestFilter(t *testing.T) {
	st := withVIPs(addressed{"A", "a", ""}, addressed{"A", "x,shared", ""}, addressed{"B", "shared", "a"}, addressed{"C", "", ""}, addressed{"A", "shared", ""})
	many := make([]string, maxVIPNames+1)
	for n := range many {
		many[n] = fmt.Sprint("n", n)
	}
	st.say(9, &eureka.Instance{ID: "9", App: "D", Status: eureka.StatusDown, VIPAddress: strings.Join(many, ",")})
	st.publish()
	tests := []struct {
		name   string
		filter Filter
		want   []string // ids
		hash   string
	}{
		{"none", Filter{}, []string{"0", "1", "2", "3", "4", "9"}, "DOWN_1_UP_5_"},
		{"an application", Filter{Apps: []string{"A"}}, []string{"0", "1", "4"}, "UP_3_"},
		{"two applications, one twice", Filter{Apps: []string{"C", "A", "C"}}, []string{"0", "1", "3", "4"}, "UP_4_"},
		{"nobody's name", Filter{Apps: []string{"Z"}}, nil, ""},
		{"a VIP", Filter{VIPs: []string{"shared"}}, []string{"1", "2", "4"}, "UP_3_"},
		{"two VIPs of one instance", Filter{VIPs: []string{"shared", "x"}}, []string{"1", "2", "4"}, "UP_3_"},
		{"nobody's VIP", Filter{VIPs: []string{"z"}}, nil, ""},
		{"a VIP of an application", Filter{Apps: []string{"A"}, VIPs: []string{"shared"}}, []string{"1", "4"}, "UP_2_"},
		{"one name too many", Filter{VIPs: many[maxVIPNames:]}, nil, ""},
		{"the last one that counts", Filter{VIPs: many[maxVIPNames-1:]}, []string{"9"}, "DOWN_1_"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer := st.Listed(&tt.filter)
			var got []string
			for _, a := range answer.Applications {
				for _, inst := range a.Instances {
					got = append(got, inst.ID)
				}
			}
			slices.Sort(got)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("ids (-want +got):\n%s", diff)
			}
			if answer.AppsHashCode != tt.hash || answer.VersionsDelta != st.Version() {
				t.Errorf("hash %q version %d, want %q and %d", answer.AppsHashCode, answer.VersionsDelta, tt.hash, st.Version())
			}
			if all := tt.name == "none"; tt.filter.All() != all {
				t.Errorf("All() = %v, want %v", !all, all)
			}
		})
	}
	if (&Filter{}).Has(nil) {
		t.Error("a filter lets through what is not there")
	}
}
