package app

import (
	"net"
	"slices"

	"github.com/eurekube/eurekube/bridge/callback"
	"github.com/eurekube/eurekube/eureka/api"
	"github.com/eurekube/eurekube/internal/httpserver"
)

// addCallback adds the bridge that has a port of its own, if it is on.
func (p *program) addCallback(o *Options, config *api.Config) error {
	if !o.Bridge.has(bridgeCallback) {
		return nil
	}
	targets, err := callback.ParseTargets(o.Bridge.CallbackTargets)
	if err != nil {
		return err
	}
	p.callback = callback.New(callback.Config{
		Leases:             config.Leases,
		Snapshot:           config.Snapshot,
		Shown:              config.Shown,
		ShownUnlessFlooded: config.ShownUnlessFlooded,
		Targets:            targets,
		OwnPorts:           p.ports,
		MaxBody:            config.MaxBody,
		Users:              config.Users,
		Registerer:         config.Registerer,
	})
	p.writing = append(p.writing, p.callback.Run)
	return nil
}

// ports are those that the servers listen on.
func (p *program) ports() []uint16 {
	var all []uint16
	for _, server := range append(slices.Clone(p.clients), p.admin) {
		if at, ok := server.Addr().(*net.TCPAddr); ok { // it listens
			all = append(all, uint16(at.Port))
		}
	}
	return all
}

// callbackServer serves the bridge as the API is served.
func (p *program) callbackServer(o *Options) httpserver.Config {
	return httpserver.Config{
		Name:        "callback",
		Addr:        o.Bridge.CallbackListen,
		Handler:     p.callback,
		Timeouts:    o.timeouts(),
		TLSCertFile: o.TLSCert,
		TLSKeyFile:  o.TLSKey,
		Drain:       o.Drain,
		StopTimeout: clientsStopTimeout,
	}
}
