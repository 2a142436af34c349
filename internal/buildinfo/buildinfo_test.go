package buildinfo

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFrom(t *testing.T) {
	checkout := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{
			{Key: "vcs", Value: "git"},
			{Key: "vcs.revision", Value: "0123abcd"},
			{Key: "vcs.modified", Value: modified},
		}
	}
	tests := []struct {
		name   string
		linked string
		build  debug.BuildInfo
		want   Info
	}{
		{
			name:   "release: the linker's version wins over the module's",
			linked: "v1.2.3",
			build:  debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-2026"}, Settings: checkout("false")},
			want:   Info{Version: "v1.2.3", Revision: "0123abcd"},
		},
		{
			name:  "go install of a module version: no checkout",
			build: debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}},
			want:  Info{Version: "v1.2.3", Revision: "unknown"},
		},
		{
			name:  "work tree with edits",
			build: debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: checkout("true")},
			want:  Info{Version: "devel", Revision: "0123abcd-dirty"},
		},
		{
			name: "nothing known",
			want: Info{Version: "devel", Revision: "unknown"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.GoVersion = runtime.Version()
			if diff := cmp.Diff(tt.want, from(tt.linked, &tt.build)); diff != "" {
				t.Errorf("from(%q, …) (-want +got):\n%s", tt.linked, diff)
			}
		})
	}
}
