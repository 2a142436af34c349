package archtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// floors says how high each package stands. An import goes down at least one.
// Packages below "bridge" and "deploy/demo" stand where those do, unless they are
// here.
var floors = map[string]int{
	"cmd/eurekube":     5,
	"deploy/demo":      5,
	"cmd/eurekube/app": 4,

	"deploy/demo/command": 4,

	"eureka/eurekatest/cmd/eurekatest": 5,

	"controller":       3,
	"eureka/api":       3,
	"eureka/dashboard": 3,
	"eureka/peer":      3,
	"eureka/events":    3,
	"bridge":           3,

	"eureka/lease":           2,
	"eureka/snapshot":        2,
	"eureka/client":          2,
	"eureka/client/callback": 2,
	"eureka/client/geerpc":   2,
	"eureka/eurekatest":      2,
	"eureka/events/webhook":  3,

	"convertor":       1,
	"eureka/registry": 1,
	"eureka/codec":    1,

	"eureka": 0,
}

const cellar = "internal" // below every floor

func floorOf(path string) (floor int, known bool) {
	if floor, known = floors[path]; known {
		return floor, true
	}
	for _, root := range []string{"bridge", "deploy/demo"} {
		if within(path, root) {
			path = root
		}
	}
	floor, known = floors[path]
	return floor, known
}

// floorFault says what is wrong with one package importing another of ours, or
// nothing.
func floorFault(from, to string) string {
	if within(from, cellar) {
		if !within(to, cellar) {
			return fmt.Sprintf("%s imports %s: internal is plumbing with no Eureka in it, so that every floor can stand on it", from, to)
		}
		return ""
	}
	if within(to, cellar) {
		return ""
	}
	fromFloor, known := floorOf(from)
	if !known {
		return fmt.Sprintf("%s stands on no floor: decide where it belongs and add it here and to docs/architecture.md", from)
	}
	toFloor, known := floorOf(to)
	if known && toFloor >= fromFloor {
		return fmt.Sprintf("%s (floor %d) imports %s (floor %d): imports go down, so that packages of one floor do not know each other and meet in cmd/eurekube/app; "+
			"have the upper one pass a function or a value in", from, fromFloor, to, toFloor)
	}
	return ""
}

func TestFloors(t *testing.T) {
	for _, p := range packages(t) {
		if !within(p.path(), cellar) {
			if _, known := floorOf(p.path()); !known {
				t.Error(floorFault(p.path(), "eureka"))
			}
		}
		for _, to := range p.Imports {
			if !ours(to) {
				continue
			}
			if fault := floorFault(p.path(), relative(to)); fault != "" {
				t.Error(fault)
			}
		}
	}
}

// rule keeps some imports to some packages.
type rule struct {
	name    string
	imports func(importPath string) bool
	allowed func(path string) bool
	because string
}

var rules = []rule{
	{
		name:    "the words import the standard library only",
		imports: func(to string) bool { first, _, _ := strings.Cut(to, "/"); return strings.Contains(first, ".") },
		allowed: func(from string) bool { return from != "eureka" },
		because: "every other package shares the words, so what they import everyone does",
	},
	{
		name:    "HTTP at the edges",
		imports: func(to string) bool { return within(to, "net/http") },
		allowed: func(from string) bool {
			return within(from, "eureka/api", "eureka/dashboard", "eureka/peer", "eureka/events", "eureka/client", "eureka/eurekatest", "bridge", "deploy/demo", cellar)
		},
		because: "what an instance is and when it is listed has nothing to do with how it is asked for",
	},
	{
		name:    "Kubernetes in the controller and the convertor",
		imports: func(to string) bool { return within(to, "k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go") },
		allowed: func(from string) bool { return within(from, "controller", "convertor", "cmd") },
		because: "the registry serves instances from anywhere, and Kubernetes types change for reasons of their own",
	},
	{
		name:    "pure packages do not log",
		imports: func(to string) bool { return within(to, "k8s.io/klog", "log", "log/slog") },
		allowed: func(from string) bool {
			return from != "eureka" && !within(from, "eureka/codec", "eureka/registry", "convertor")
		},
		because: "they return what went wrong, and the caller knows whether it is worth a line",
	},
}

func TestImports(t *testing.T) {
	all := packages(t)
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			for _, p := range all {
				for _, to := range p.Imports {
					if r.imports(to) && !r.allowed(p.path()) {
						t.Errorf("%s imports %s: %s", p.path(), to, r.because)
					}
				}
			}
		})
	}
}

// TestFloorFault shows that the rule can be broken: the module itself never
// does.
func TestFloorFault(t *testing.T) {
	tests := []struct {
		name, from, to string
		fault          string // its beginning
	}{
		{name: "down", from: "eureka/api", to: "eureka/snapshot"},
		{name: "down two", from: "controller", to: "eureka"},
		{name: "into the cellar", from: "convertor", to: "internal/buildinfo"},
		{name: "within the cellar", from: "internal/telemetry", to: "internal/buildinfo"},
		{name: "sideways", from: "eureka/api", to: "controller", fault: "eureka/api (floor 3) imports controller (floor 3)"},
		{name: "between bridges", from: "bridge/geerpc", to: "bridge/callback", fault: "bridge/geerpc (floor 3) imports bridge/callback (floor 3)"},
		{name: "between demos", from: "deploy/demo/geerpc", to: "deploy/demo/callback", fault: "deploy/demo/geerpc (floor 5) imports deploy/demo/callback (floor 5)"},
		{name: "what demos share", from: "deploy/demo/geerpc", to: "deploy/demo/command"},
		{name: "up", from: "eureka", to: "eureka/codec", fault: "eureka (floor 0) imports eureka/codec (floor 1)"},
		{name: "out of the cellar", from: "internal/telemetry", to: "eureka", fault: "internal/telemetry imports eureka"},
		{name: "new package", from: "eureka/cache", to: "eureka", fault: "eureka/cache stands on no floor"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := floorFault(tt.from, tt.to)
			if !strings.HasPrefix(got, tt.fault) || (got == "") != (tt.fault == "") {
				t.Errorf("floorFault(%q, %q) = %q, want %q", tt.from, tt.to, got, tt.fault)
			}
		})
	}
}

// TestRules gives each rule one import that breaks it.
func TestRules(t *testing.T) {
	broken := map[string]struct{ from, to string }{
		"the words import the standard library only":     {"eureka", "k8s.io/klog/v2"},
		"HTTP at the edges":                              {"controller", "net/http"},
		"Kubernetes in the controller and the convertor": {"eureka/api", "k8s.io/api/core/v1"},
		"pure packages do not log":                       {"eureka/registry", "log/slog"},
	}
	var caught []string
	for _, r := range rules {
		if b := broken[r.name]; r.imports(b.to) && !r.allowed(b.from) {
			caught = append(caught, r.name)
		}
	}
	var want []string
	for _, r := range rules {
		want = append(want, r.name)
	}
	if diff := cmp.Diff(want, caught); diff != "" {
		t.Errorf("rules that catch their import (-want +got):\n%s", diff)
	}
}
