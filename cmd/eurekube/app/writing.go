package app

import (
	"github.com/eurekube/eurekube/bridge/geerpc"
	"github.com/eurekube/eurekube/eureka/api"
	"github.com/eurekube/eurekube/eureka/lease"
	"github.com/eurekube/eurekube/internal/auth"
)

// addWriting adds to the API what takes writes, as far as they are on, and who
// may send them.
func (p *program) addWriting(o *Options, config *api.Config) error {
	s := &o.SelfRegistration
	if s.AuthFile != "" {
		users, err := auth.Open(s.AuthFile)
		if err != nil {
			return err
		}
		config.Users, config.AuthReads = users, s.AuthReads
		p.writing = append(p.writing, users.Run)
	}
	if s.Mode == lease.ModeOff {
		return nil
	}
	config.MaxBody = s.MaxBody
	config.Leases = lease.NewStore(lease.Config{
		Registry:    config.Registry,
		Mode:        s.Mode,
		ClaimNames:  s.ClaimNames,
		Threshold:   s.PreservationThreshold,
		Ceiling:     s.PreservationCeiling,
		EndsOnTime:  geerpc.Posted,
		MaxMetadata: s.MaxBody,
		Registerer:  config.Registerer,
	})
	p.writing = append(p.writing, config.Leases.Run)
	return nil
}
