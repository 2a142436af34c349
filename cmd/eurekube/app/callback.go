package app

import (
	"net"

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
		AdminPort:          portOf(o.AdminListen),
		MaxBody:            config.MaxBody,
		Users:              config.Users,
		Registerer:         config.Registerer,
	})
	p.writing = append(p.writing, p.callback.Run)
	return nil
}

// portOf is the port of an address to listen on, 0 if it is still to be chosen.
func portOf(listen string) uint16 {
	_, text, _ := net.SplitHostPort(listen)
	port, err := net.LookupPort("tcp", text)
	if err != nil {
		return 0 // listening fails, too
	}
	return uint16(port)
}

// callbackServer serves the bridge as the API is served.
func (p *program) callbackServer(o *Options) *httpserver.Server {
	return httpserver.New(httpserver.Config{
		Name:        "callback",
		Addr:        o.Bridge.CallbackListen,
		Handler:     p.callback,
		Timeouts:    o.timeouts(),
		TLSCertFile: o.TLSCert,
		TLSKeyFile:  o.TLSKey,
		Drain:       o.Drain,
		StopTimeout: clientsStopTimeout,
	})
}
