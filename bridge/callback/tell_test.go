package callback

import (
	"fmt"

	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestRegister_IsAnsweredWithinTwoSeconds(t *testing.T) {
	tests := []struct {
		name   string
		adjust func(p *program)
		want   time.Duration
	}{
		{name: "at once", adjust: func(*program) {}},
		{name: "a slow program", adjust: func(p *program) { p.delay = time.Second }, want: time.Second},
		{name: "one that does not answer", adjust: func(p *program) { p.delay = time.Hour }, want: 2 * time.Second},
		{name: "one that refuses", adjust: func(p *program) { p.status = http.StatusInternalServerError }, want: 2 * time.Second},
		{name: "one that does not listen", adjust: func(p *program) { go p.stop() }, want: 2 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, nil, func(r *rig) {
				r.pod(1, "orders")
				r.settle()
				portal := r.start(1, "Portal", "Orders")
				portal.set(tt.adjust)
				r.settle()
				start := time.Now()
				portal.register()
				if got := time.Since(start).Round(10 * time.Millisecond); got != tt.want {
					r.Errorf("answered after %s, want %s", got, tt.want)
				}
			})
		})
	}
}

// What fails is tried again, and says what is so then.
func TestTell_RetriesCarryTheThenCurrentDifference(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		end := r.pod(1, "orders")
		r.settle()
		portal := r.start(1, "Portal", "Orders")
		portal.set(func(p *program) { p.status = http.StatusBadRequest })
		portal.register()
		r.expectMetric("eurekube_callback_deliveries_total", "failed", 2) // at once and a second later
		portal.expectPatches("+Orders=http://10.1.0.1:8080", "+Orders=http://10.1.0.1:8080")
		end()
		r.pod(2, "orders")
		portal.set(func(p *program) { p.status = http.StatusOK })
		time.Sleep(lastRetry)
		portal.expectPatches("+Orders=http://10.1.0.2:8080")
		r.expectMetric("eurekube_callback_deliveries_total", "ok", 1)
	})
}

// A patch that was sent and not answered may have been taken: what it added has to
// be removed if it went meanwhile.
func TestTell_WhatMayHaveArrivedIsTakenBack(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		portal := r.start(1, "Portal", "Orders")
		portal.register()
		time.Sleep(probeInterval)
		portal.set(func(p *program) { p.delay = time.Hour })
		end := r.pod(1, "orders")
		time.Sleep(deliveryTimeout)
		end()
		portal.expectPatches("+Orders=http://10.1.0.1:8080")
		portal.set(func(p *program) { p.delay = 0 })
		time.Sleep(lastRetry)
		portal.expectPatches("-Orders=http://10.1.0.1:8080")
	})
}

// Many changes at once are few patches, never two under way, and in order.
func TestTell_FoldsChanges(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		portal := r.start(1, "Portal", "Orders")
		portal.register()
		portal.set(func(p *program) { p.delay = time.Second })
		for n := range 100 {
			defer r.pod(n+1, "orders")()
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(5 * time.Second)
		portal.mu.Lock()
		defer portal.mu.Unlock()
		told := map[string]bool{}
		for _, text := range portal.patches {
			for _, word := range strings.Fields(summary(text)) {
				told[word] = true
			}
		}
		if len(told) != 100 || len(portal.patches) > 4 {
			r.Errorf("%d providers in %d patches, want 100 in 4 at most", len(told), len(portal.patches))
		}
	})
}

// One host that is slow, or many, hold up nobody else.
func TestTell_SlowProgramsHoldUpNobodyElse(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		for n := range 200 {
			slow := r.start(1000+n, "Slow", "Orders")
			slow.set(func(p *program) { p.delay, p.hang = time.Hour, true })
			slow.register()
		}
		log := r.start(2, "Log", "Payment")
		log.register()
		time.Sleep(time.Minute)
		r.pod(2, "payment")
		log.expectPatches("+Payment=http://10.1.0.2:8080")
		before := log.probed()
		time.Sleep(time.Minute)
		if n := log.probed() - before; n < 19 {
			r.Errorf("%d probes in a minute, want 20", n)
		}
		r.expectListed("LOG", "10.0.0.2:4000")
		r.expectListed("SLOW")
	})
}

// Programs that take probes and no patches hold up nobody else either: there are more
// of them than could be told again and again in the turns of one kind of call.
func TestTell_ProgramsThatTakeNoPatchHoldUpNobodyElse(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		r.pod(1, "orders")
		r.settle()
		var registering sync.WaitGroup
		for n := range 8 * callsAtOnce {
			stuck := r.start(1000+n, "Stuck", "Orders")
			stuck.set(func(p *program) { p.delay = time.Hour })
			registering.Go(stuck.register)
		}
		registering.Wait()
		time.Sleep(8 * deliveryTimeout) // each was told once
		log := r.start(2, "Log", "Orders")
		start := time.Now()
		log.register()
		if took := time.Since(start).Round(100 * time.Millisecond); took > 0 {
			r.Errorf("a program that takes patches was told after %s, want at once", took)
		}
		log.expectPatches("+Orders=http://10.1.0.1:8080")
	})
}

// Each of a crowd requires all of it, so that each newcomer is news for everyone.
func TestTell_CrowdsTellEachOtherSlowly(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		const crowd = 300
		var all []*program
		for n := range crowd {
			p := r.start(1000+n, "Crowd", "Crowd")
			all = append(all, p)
			p.register()
		}
		time.Sleep(2 * crowd * patchShare)
		began, before := time.Now(), r.metric("eurekube_callback_deliveries_total", "ok")
		for n := range 200 {
			r.pod(n+1, "crowd")
			time.Sleep(50 * time.Millisecond)
		}
		sent := r.metric("eurekube_callback_deliveries_total", "ok") - before
		if rate := sent / time.Since(began).Seconds(); rate > 1100 {
			r.Errorf("%.0f patches a second, want a thousand at most", rate)
		}
		time.Sleep(time.Second)
		for _, p := range all {
			p.mu.Lock()
			known := map[string]bool{}
			for _, text := range p.patches {
				for _, word := range strings.Fields(summary(text)) {
					known[word] = true
				}
			}
			p.mu.Unlock()
			if len(known) != crowd+200 {
				r.Fatalf("%s knows %d, want %d", p.address, len(known), crowd+200)
			}
		}
	})
}

func TestRegister_TenThousandOfOneName(t *testing.T) {
	const services = 10_000
	inBubble(t, nil, func(r *rig) {
		portal := r.start(1, "Portal", "Crowd")
		portal.register()
		var senders sync.WaitGroup
		for first := range 500 {
			senders.Go(func() {
				for n := first; n < services; n += 500 {
					url := fmt.Sprintf("http://10.2.%d.%d:4000", n/250, n%250)
					r.expect(http.MethodPost, fmt.Sprintf(`{"ServiceName":"Crowd","ServiceURL":%q,"HeartbeatURL":%q}`, url, url), http.StatusOK)
				}
			})
		}
		senders.Wait()
		r.settle()
		if n := len(r.listed("CROWD")); n != services {
			r.Errorf("%d listed, want %d", n, services)
		}
		r.expectMetric("eurekube_callback_services", "listed", services+1)
		portal.mu.Lock()
		told := map[string]bool{}
		for _, text := range portal.patches {
			for _, word := range strings.Fields(summary(text)) {
				told[word] = true
			}
		}
		portal.mu.Unlock()
		if len(told) != services {
			r.Errorf("the portal was told of %d, want %d", len(told), services)
		}
	})
}

func TestRegister_IsBounded(t *testing.T) {
	tests := []struct {
		name string
		fill func(b *Bridge)
	}{
		{"by services", func(b *Bridge) {
			for n := range maxServices {
				b.services[fmt.Sprint(n)] = nil
			}
		}},
		{"by what they require", func(b *Bridge) { b.names = maxNames }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, nil, func(r *rig) {
				r.bridge.mu.Lock()
				tt.fill(r.bridge)
				r.bridge.mu.Unlock()
				answer := r.send(http.MethodPost, valid("", ""))
				if answer.Code != http.StatusServiceUnavailable || answer.Body.String() != errFull.Error()+"\n" {
					r.Errorf("%d %q, want 503 %q", answer.Code, answer.Body, errFull)
				}
			})
		})
	}
}

// Services at which nobody answers give way to new ones.
func TestRegister_MakesRoom(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		first, second, third := r.start(1, "Log"), r.start(2, "Log"), r.start(3, "Log")
		for _, p := range []*program{first, second} {
			p.register()
			time.Sleep(givenUp)
			p.stop()
			time.Sleep(2 * givenUp)
		}
		r.bridge.mu.Lock()
		for n := range maxServices - 2 {
			r.bridge.services[fmt.Sprint(n)] = nil
		}
		r.bridge.mu.Unlock()
		third.register()
		r.expectListed("LOG", "10.0.0.3:4000")
		r.expect(http.MethodDelete, first.url(), http.StatusBadRequest)
		second.listen()
		time.Sleep(givenUp)
		r.expectListed("LOG", "10.0.0.2:4000", "10.0.0.3:4000")
		r.expect(http.MethodPost, valid("", ""), http.StatusServiceUnavailable) // nobody is silent
		third.stop()
		time.Sleep(givenUp)
		third.listen()
		third.register() // in its own place
		r.expectListed("LOG", "10.0.0.2:4000", "10.0.0.3:4000")
	})
}
