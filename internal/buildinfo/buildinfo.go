// Package buildinfo says which build of the program is running: its version,
// the commit it was built from and the Go release that compiled it.
//
// It is for whatever shows them (the version command, the build metric, the
// user agent). It is not for the versions of the protocols spoken.
package buildinfo

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set by the linker when a release is built:
//
//	go build -ldflags "-X github.com/eurekube/eurekube/internal/buildinfo.version=v1.2.3"
var version string

// Info identifies one build.
type Info struct {
	// Version is the release, such as "v1.2.3"; "devel" when the build has none.
	Version string
	// Revision is the commit, with "-dirty" behind it when files differed from
	// that commit; "unknown" when it was not built in a checkout.
	Revision string
	// GoVersion is the Go release, such as "go1.26.8".
	GoVersion string
}

// Read returns what is known of the running program. It may be called by many
// goroutines at once.
func Read() Info {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		build = &debug.BuildInfo{}
	}
	return from(version, build)
}

// String is one line for a person.
func (i Info) String() string {
	return fmt.Sprintf("%s (revision %s, %s, %s/%s)", i.Version, i.Revision, i.GoVersion, runtime.GOOS, runtime.GOARCH)
}

func from(linked string, build *debug.BuildInfo) Info {
	info := Info{Version: linked, Revision: "unknown", GoVersion: runtime.Version()}
	if info.Version == "" {
		info.Version = build.Main.Version // set by "go install module@version"
	}
	if info.Version == "" || info.Version == "(devel)" {
		info.Version = "devel"
	}
	dirty := false
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			info.Revision = s.Value
		case "vcs.modified":
			dirty = s.Value == "true"
		}
	}
	if dirty {
		info.Revision += "-dirty"
	}
	return info
}
