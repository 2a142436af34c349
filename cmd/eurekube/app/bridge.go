package app

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/eurekube/eurekube/bridge/callback"
	"github.com/eurekube/eurekube/bridge/geerpc"
	"github.com/eurekube/eurekube/eureka/api"
)

// The bridges that --bridge switches on.
const (
	bridgeGeeRPC   = "geerpc"
	bridgeCallback = "callback"
)

var bridges = []string{bridgeGeeRPC, bridgeCallback}

// Bridge is what an operator decides about the registries of other protocols.
type Bridge struct {
	// On are the bridges that are switched on, each once.
	On []string
	// GeeRPCApp is the application of GeeRPC servers, and GeeRPCTTL how long they
	// live after their last POST, in whole seconds; 0 is for ever.
	GeeRPCApp string
	GeeRPCTTL time.Duration
	// CallbackListen is the address of the callback bridge, host:port, and
	// CallbackTargets are the prefixes of addresses that it may call.
	CallbackListen  string
	CallbackTargets []string
}

func newBridge() Bridge {
	return Bridge{
		GeeRPCApp: "GEERPC", GeeRPCTTL: 5 * time.Minute,
		CallbackListen: ":3000", CallbackTargets: callback.DefaultTargets.Strings(),
	}
}

func (b *Bridge) addFlags(fs *pflag.FlagSet) {
	fs.Var((*list)(&b.On), "bridge", "also serve the registries of these protocols: "+strings.Join(bridges, ", "))
	fs.StringVar(&b.GeeRPCApp, "geerpc-app", b.GeeRPCApp, "`name` of the application under which GeeRPC servers are listed")
	fs.DurationVar(&b.GeeRPCTTL, "geerpc-ttl", b.GeeRPCTTL, "how long a GeeRPC server stays listed after its last POST; 0 means for ever")
	fs.StringVar(&b.CallbackListen, "callback-listen", b.CallbackListen, "`address` for programs of the callback registry")
	fs.Var((*list)(&b.CallbackTargets), "callback-targets", "the only CIDR ranges in which services are called, in place of the default; link-local addresses and those of cloud metadata are never called")
}

// has reports whether a bridge is switched on.
func (b *Bridge) has(name string) bool { return slices.Contains(b.On, name) }

func (o *Options) validateBridge() error {
	b := &o.Bridge
	mistakes := []error{o.validateNames("bridge", b.On, func(name string) []string {
		if slices.Contains(bridges, name) {
			return nil
		}
		return []string{"there is no such bridge; there is " + strings.Join(bridges, ", ")}
	})}
	if !isAppName(b.GeeRPCApp) {
		mistakes = append(mistakes, fmt.Errorf("%s is not a name of letters, digits, hyphens, dots and underscores", o.typed("geerpc-app")))
	}
	switch {
	case b.GeeRPCTTL < 0:
		mistakes = append(mistakes, fmt.Errorf("%s is shorter than 0s, which is for ever", o.typed("geerpc-ttl")))
	case b.GeeRPCTTL%time.Second != 0:
		mistakes = append(mistakes, fmt.Errorf("%s is not in whole seconds, which leases are counted in", o.typed("geerpc-ttl")))
	case b.GeeRPCTTL > math.MaxInt32*time.Second:
		mistakes = append(mistakes, fmt.Errorf("%s is longer than a lease can be; 0 is for ever", o.typed("geerpc-ttl")))
	}
	if _, err := callback.ParseTargets(b.CallbackTargets); err != nil {
		mistakes = append(mistakes, fmt.Errorf("%s: %w", o.typed("callback-targets"), err))
	}
	mistakes = append(mistakes, o.validateIdle(bridgeGeeRPC, "geerpc-app", "geerpc-ttl"), o.validateIdle(bridgeCallback, "callback-listen", "callback-targets"))
	return errors.Join(mistakes...)
}

// validateIdle refuses flags of a bridge that is off: whoever wrote them believes
// that it is on.
func (o *Options) validateIdle(bridge string, flags ...string) error {
	if o.Bridge.has(bridge) {
		return nil
	}
	var mistakes []error
	for _, flag := range flags {
		if o.flags.Changed(flag) {
			mistakes = append(mistakes, fmt.Errorf("%s needs --bridge=%s", o.typed(flag), bridge))
		}
	}
	return errors.Join(mistakes...)
}

// isAppName reports whether name can be an application that every client can ask
// for.
func isAppName(name string) bool {
	return name != "" && len(name) <= 63 && !strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("-._", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// addBridges mounts the bridges that are served on the port of the API.
func (o *Options) addBridges(config *api.Config) {
	if !o.Bridge.has(bridgeGeeRPC) {
		return
	}
	b := geerpc.New(geerpc.Config{
		App:                strings.ToUpper(o.Bridge.GeeRPCApp),
		TTL:                o.Bridge.GeeRPCTTL,
		Snapshot:           config.Snapshot,
		Registry:           config.Registry,
		Leases:             config.Leases,
		ShownUnlessFlooded: config.ShownUnlessFlooded,
	})
	config.Mounts = append(config.Mounts, api.Mount{Path: geerpc.Path, Get: b.Get, Post: b.Post})
}
