package client

// A discovery often learns before the next renewal that a server has forgotten an
// instance: the list no longer has it. So the registrations of the same servers are
// told, and renew at once; the 404 to that is what makes them register again.

// began has r told when it is missed, until ended.
func (s *Servers) began(r *Registration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.registrations == nil {
		s.registrations = make(map[*Registration]struct{})
	}
	s.registrations[r] = struct{}{}
}

func (s *Servers) ended(r *Registration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.registrations, r)
}

// missed tells the registrations that the list loses as it goes from now to next.
// One that the list never had is left alone: a server may list it under the id of
// its pod, or later than it answers, and each list would have it renewed.
func (s *Servers) missed(now, next *view) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for r := range s.registrations {
		if r.in(now) && !r.in(next) {
			wake(r.missed)
		}
	}
}

// in reports whether the instance is in a list, in any status.
func (r *Registration) in(v *view) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return v.apps[r.inst.App].find(r.inst.ID) != nil
}

// wake makes c, which holds one, yield once more; what was not yet seen is seen
// together with it.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
