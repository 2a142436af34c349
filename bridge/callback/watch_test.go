package callback

import (
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A service is given up after three tries, a second apart, of at most a second.
const givenUp = probeInterval + probeTries*tryInterval

func TestWatch_ASilentServiceIsRemovedOnceAndComesBack(t *testing.T) {
	tests := []struct {
		name        string
		break_, end func(p *program)
	}{
		{name: "the process is gone", break_: func(p *program) { p.stop() }, end: func(p *program) { p.listen() }},
		{
			name:   "another status",
			break_: func(p *program) { p.set(func(p *program) { p.status = http.StatusNoContent }) },
			end:    func(p *program) { p.set(func(p *program) { p.status = http.StatusOK }) },
		},
		{
			name:   "no answer",
			break_: func(p *program) { p.set(func(p *program) { p.hang = true }) },
			end:    func(p *program) { p.set(func(p *program) { p.hang = false }) },
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, nil, func(r *rig) {
				portal := r.start(1, "Portal", "Log")
				portal.register()
				log := r.start(2, "Log")
				log.register()
				time.Sleep(2 * probeInterval)
				portal.expectPatches("+Log=http://10.0.0.2:4000")

				tt.break_(log)
				time.Sleep(givenUp)
				portal.expectPatches("-Log=http://10.0.0.2:4000")
				r.expectListed("LOG")
				r.expectMetric("eurekube_callback_services", "watch", 1)
				time.Sleep(time.Hour)
				portal.expectPatches()

				tt.end(log)
				time.Sleep(givenUp)
				portal.expectPatches("+Log=http://10.0.0.2:4000")
				r.expectListed("LOG", "10.0.0.2:4000")
				r.expectMetric("eurekube_callback_services", "watch", 0)
				time.Sleep(time.Hour)
				portal.expectPatches()
			})
		})
	}
}

func TestWatch_AMissedProbeIsTriedAgain(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		portal := r.start(1, "Portal", "Log")
		portal.register()
		log := r.start(2, "Log")
		log.register()
		portal.expectPatches("+Log=http://10.0.0.2:4000")
		for range 20 {
			log.stop()
			time.Sleep(1900 * time.Millisecond) // two tries at most
			log.listen()
			time.Sleep(probeInterval)
		}
		portal.expectPatches()
	})
}

// Three tries, a second apart, and then one every three seconds: in absolute figures,
// which the other tests take from the constants.
func TestWatch_TriesAreASecondApart(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		log := r.start(1, "Log")
		log.register()
		time.Sleep(10 * time.Second)
		log.set(func(p *program) { p.status = http.StatusServiceUnavailable })
		var gaps []time.Duration
		var last time.Time
		for n := log.probed(); len(gaps) < 6; {
			time.Sleep(50 * time.Millisecond)
			synctest.Wait()
			if log.probed() == n {
				continue
			}
			n = log.probed()
			if !last.IsZero() {
				gaps = append(gaps, time.Since(last).Round(200*time.Millisecond))
			}
			last = time.Now()
		}
		want := []time.Duration{time.Second, time.Second, time.Second, 3 * time.Second, 3 * time.Second, 3 * time.Second}
		if !slices.Equal(gaps, want) {
			r.Errorf("probes of a service that fails are %v apart, want %v", gaps, want)
		}
	})
}

func TestWatch_ProbesEveryThreeSeconds(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		log := r.start(1, "Log")
		log.register()
		time.Sleep(time.Minute)
		if log.probed() < 19 || log.probed() > 21 {
			r.Errorf("%d probes in a minute, want 20", log.probed())
		}
		if n := len(r.connectedTo()); n != 1 {
			r.Errorf("%d connections, want one that is kept", n)
		}
	})
}

func TestWatch_ForgetsAServiceAfterADay(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		log := r.start(1, "Log")
		log.register()
		log.stop()
		time.Sleep(forgetAfter - time.Minute)
		r.expectMetric("eurekube_callback_services", "watch", 1)
		time.Sleep(2 * time.Minute)
		r.expectMetric("eurekube_callback_services", "watch", 0)
		r.expect(http.MethodDelete, log.url(), http.StatusBadRequest)
		r.expectLines(
			"Callback service was listed LOG 10.0.0.1:4000",
			"Callback service does not answer and is under watch LOG 10.0.0.1:4000",
			"Callback service was forgotten LOG 10.0.0.1:4000 24h0m0s",
		)
	})
}

// Operators and sweeps end leases too; a service that answers registers again, as
// any Eureka client would.
func TestWatch_RegistersAgainWhenTheLeaseEnded(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		log := r.start(1, "Log")
		log.register()
		time.Sleep(time.Minute)
		r.expectListed("LOG", "10.0.0.1:4000")
		for n := log.probed(); log.probed() == n; { // so that the next one is 3 s away
			time.Sleep(100 * time.Millisecond)
		}
		synctest.Wait() // the probe that was counted has renewed the lease
		if err := r.leases.Cancel(r.Context(), "LOG", "10.0.0.1:4000", false); err != nil {
			r.Fatal(err)
		}
		r.expectListed("LOG")
		time.Sleep(probeInterval)
		r.expectListed("LOG", "10.0.0.1:4000")
	})
}

// A program is not called while it is under watch, and is told all that it missed.
func TestWatch_TellsWhoComesBackWhatItMissed(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		portal := r.start(1, "Portal", "Orders")
		portal.register()
		time.Sleep(probeInterval)
		end := r.pod(1, "orders")
		portal.expectPatches("+Orders=http://10.1.0.1:8080")
		portal.set(func(p *program) { p.status = http.StatusServiceUnavailable })
		time.Sleep(givenUp)
		end()
		r.pod(2, "orders")
		r.pod(3, "orders")
		time.Sleep(time.Minute)
		portal.expectPatches()
		portal.set(func(p *program) { p.status = http.StatusOK })
		time.Sleep(probeInterval + comeback)
		portal.expectPatches("+Orders=http://10.1.0.2:8080 +Orders=http://10.1.0.3:8080 -Orders=http://10.1.0.1:8080")
	})
}

// Eurekube is cut from all programs and comes back. Nobody is told that others went:
// nobody could be, and when they can be told again all are there.
func TestWatch_AnOutageOfTheNetworkIsNotTold(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		var crowd []*program
		for n := range 30 {
			p := r.start(1+n, "Crowd", "Crowd")
			p.register()
			crowd = append(crowd, p)
		}
		time.Sleep(time.Minute)
		for _, p := range crowd {
			p.set(func(p *program) { p.patches = nil })
		}
		for _, p := range crowd {
			p.stop()
		}
		time.Sleep(time.Minute)
		r.expectListed("CROWD")
		for _, p := range crowd {
			p.listen()
		}
		time.Sleep(time.Minute)
		for _, p := range crowd {
			p.expectPatches()
		}
		if n := len(r.listed("CROWD")); n != len(crowd) {
			r.Errorf("%d services are listed again, want %d", n, len(crowd))
		}
	})
}
