package clients

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/eurekube/eurekube/e2e/suite"
)

// pace is the time between two changes: some dozens fall into one fetch interval.
const pace = 25 * time.Millisecond

func expectChurn(t *testing.T, r *rig) {
	churn := newChurn(r.server, r.can("Override"))
	for _, service := range churn.services {
		churn.add(t, service)
	}
	r.expectInStep(t)
	full, reads := r.fullReads(), len(r.exchanges(isAnyRead))

	ticker := time.NewTicker(pace)
	defer ticker.Stop()
	for range 200 {
		<-ticker.C
		churn.change(t)
	}
	r.expectInStep(t)
	r.expectReads(t, 2)
	r.expectInStep(t)
	if more := r.fullReads() - full; more > 0 {
		t.Errorf("%d more full reads in %d reads, want none", more, len(r.exchanges(isAnyRead))-reads)
	}
	churn.end(t)
	r.expectDiscovered(t, soon, nil)
}

// expectInStep waits until the application would call what the server lists.
func (r *rig) expectInStep(t *testing.T) {
	t.Helper()
	suite.Eventually(t, soon, func() error {
		want, err := r.server.discoverable(t.Context())
		if err != nil {
			return err
		}
		return r.application.isDiscovered(t.Context(), want)
	})
}

// churn changes instances of some services, of which one instance each stays as it
// is.
type churn struct {
	server   *server
	random   *rand.Rand
	services []string
	guests   []guest
	out      map[string]bool // those taken out of service, by id
	last     int             // number of the last guest
	kinds    int             // of changes: those that all clients can follow, or one more
}

func newChurn(s *server, overrides bool) *churn {
	kinds := 4
	if overrides {
		kinds++
	}
	return &churn{
		server: s, random: rand.New(rand.NewPCG(5, 200)), out: map[string]bool{}, kinds: kinds,
		services: []string{"churn-a", "churn-b", "churn-c", "churn-d", "churn-e"},
	}
}

func (c *churn) add(t *testing.T, service string) {
	c.last++
	g := guest{server: c.server, service: service, host: fmt.Sprintf("127.0.%d.%d", 10+c.last/200, 1+c.last%200)}
	g.register(t)
	c.guests = append(c.guests, g)
}

// change makes one change.
func (c *churn) change(t *testing.T) {
	first := len(c.services)
	if len(c.guests) == first {
		c.add(t, c.services[c.random.IntN(first)])
		return
	}
	i := first + c.random.IntN(len(c.guests)-first)
	switch g := c.guests[i]; c.random.IntN(c.kinds) {
	case 0, 1:
		c.add(t, c.services[c.random.IntN(first)])
	case 2:
		g.cancel(t)
		c.guests = append(c.guests[:i], c.guests[i+1:]...)
		delete(c.out, g.id())
	case 3:
		g.setMetadata(t, "step", fmt.Sprint(c.random.IntN(1000)))
	case 4:
		if c.out[g.id()] {
			g.putBack(t)
		} else {
			g.takeOut(t)
		}
		c.out[g.id()] = !c.out[g.id()]
	}
}

func (c *churn) end(t *testing.T) {
	for _, g := range c.guests {
		g.cancel(t)
	}
	c.guests = nil
}
