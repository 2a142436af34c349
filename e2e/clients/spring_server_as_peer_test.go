package clients

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/eurekube/eurekube/e2e/recorder"
	"github.com/eurekube/eurekube/e2e/springserver"
	"github.com/eurekube/eurekube/e2e/suite"
)

// peer is a Spring Eureka server that has the server under test as its peer, and an
// instance that registers with it and that nobody but its peer tells ours of.
type peer struct {
	ours, theirs *server // theirs is no process of its own, but where to send requests
	proxy        *recorder.Proxy
	guest        guest
	log          *logReader
}

// peers are the servers that replicate to ours.
var peers = []struct {
	release        springserver.Release
	title, version string
}{
	{springserver.Boot3, "Spring's server, Boot 3.5", "Spring Boot 3.5.7, Spring Cloud 2025.0.0, Netflix 2.0.4"},
	{springserver.Boot4, "Spring's server, Boot 4", "Spring Boot 4.0.7, Spring Cloud 2025.1.4, Netflix 2.0.6"},
}

// peerStep is what a peer passes on.
type peerStep struct {
	name, title string
	run         func(*testing.T, *peer)
	says        []expectation // in the peer's log
}

var peerSteps = []peerStep{
	{name: "Register", title: "What registers there is listed here as it is there.", run: expectReplicatedRegistration},
	{name: "Heartbeats", title: "Heartbeats there keep the lease here.", run: expectReplicatedHeartbeats},
	{name: "Metadata", title: "Metadata that is set there arrives.", run: expectReplicatedMetadata},
	{name: "Override", title: "Taken out of service there it is so here, and comes back.", run: expectReplicatedOverride},
	{name: "Status", title: "A status that is reported there arrives.", run: expectReplicatedStatus},
	{name: "NewerHere", title: "It adopts a newer description that we have.", run: expectAdopted, says: []expectation{
		expects(`Heartbeat@127.0.0.2 failed with response code 409`, "the test registers at ours what is newer"),
		expects(`Peer wants us to take the instance information from it`, "that is how it learns of it"),
	}},
	{name: "Restart", title: "Ours was killed and knows nothing: with the next heartbeats everything is back.", run: expectReplicatedAgain, says: []expectation{
		allows(`ReplicationTaskProcessor: (Network level connection|It seems to be a socket read timeout|Batch update failure)`, "nobody listens meanwhile"),
		expects(`Heartbeat@127.0.0.2(: missing entry\.| failed with response code 404)`, "the server knows nothing"),
		expects(`cannot find instance id .* and hence replicating the instance`, "that is how it comes back"),
	}},
	{name: "Cancel", title: "What ends there is gone here.", run: expectReplicatedCancel},
}

// TestSpringServerAsPeer holds the section of docs/compatibility.md about peers to
// what it sees.
func TestSpringServerAsPeer(t *testing.T) {
	for _, which := range peers {
		t.Run(string(which.release), func(t *testing.T) {
			p := startPeer(t, which.release)
			for _, step := range peerSteps {
				t.Run(step.name, func(t *testing.T) {
					step.run(t, p)
					p.expectQuiet(t, step)
				})
			}
		})
	}
	if !t.Failed() {
		expectPeersDocumented(t, filepath.Join("..", "..", "docs", "compatibility.md"))
	}
}

func startPeer(t *testing.T, release springserver.Release) *peer {
	t.Helper()
	p := &peer{ours: newServer(t, "--manifests="+t.TempDir())}
	// Spring's server takes every peer at its own host name, which is 127.0.0.1, for
	// itself.
	p.proxy = startProxy(t, freePort(t, "127.0.0.2"), p.ours)
	t.Cleanup(func() {
		if err := p.proxy.Close(); err != nil {
			t.Error(err)
		}
	})
	jar, err := release.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "spring.log")
	spring, err := springserver.Start(t.Context(), springserver.Config{
		Jar: jar, LogPath: log, Peers: []string{serviceURL(p.proxy.Address(), "")},
		// Its 200 ms are too short for a busy machine.
		Properties: []string{"eureka.server.peer-node-read-timeout-ms=5000", "eureka.server.peer-node-connect-timeout-ms=5000"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := spring.Kill(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("the last lines of the log of Spring's server:\n%s", spring.LogTail(40))
		}
	})
	p.theirs = &server{address: spring.Address()}
	p.guest = guest{server: p.theirs, service: "billing", host: "192.0.2.9"}
	p.log = &logReader{path: log}
	p.expectQuiet(t, peerStep{says: []expectation{allows(`DiscoveryJerseyProvider: Using`, "it names its codecs")}})
	return p
}

// expectQuiet fails the test when the peer's log complains, or when ours answered it
// anything but 200.
func (p *peer) expectQuiet(t *testing.T, step peerStep) {
	t.Helper()
	p.log.expectNoComplaints(t, step.says)
	for _, e := range p.proxy.Exchanges() {
		if e.Status != http.StatusOK && e.Status != 0 {
			t.Errorf("%s %s of the peer was answered %d", e.Method, e.URI, e.Status)
		}
	}
}

// expect waits until ours shows what check is content with.
func (p *peer) expect(t *testing.T, check func(instance) error) {
	t.Helper()
	suite.Eventually(t, soon, func() error {
		now, err := p.ours.instance(t.Context(), p.guest.app(), p.guest.id())
		if err != nil {
			return err
		}
		return check(now)
	})
}

// renew sends a heartbeat to the peer.
func (p *peer) renew(t *testing.T) {
	t.Helper()
	p.theirs.order(t, http.MethodPut, p.theirs.instanceURL(p.guest.app(), p.guest.id()), "")
}

// renewUntil sends heartbeats as a client does until check is content. More often than
// every half second they would reach nobody: each takes the place of the one that
// waits to be passed on, and the waiting begins again.
func (p *peer) renewUntil(t *testing.T, check func() error) {
	t.Helper()
	var last time.Time
	suite.Eventually(t, soon, func() error {
		if time.Since(last) >= interval {
			last = time.Now()
			p.renew(t)
		}
		return check()
	})
}

func expectReplicatedRegistration(t *testing.T, p *peer) {
	p.guest.register(t)
	got := p.ours.expectListed(t, p.guest.app(), "UP")
	want, err := p.theirs.instance(t.Context(), p.guest.app(), p.guest.id())
	if err != nil {
		t.Fatal(err)
	}
	times := cmpopts.IgnoreFields(lease{}, "Registration", "LastRenewal", "ServiceUp")
	if diff := cmp.Diff(want, got, times); diff != "" {
		t.Errorf("listed here (-there +here):\n%s", diff)
	}
}

func expectReplicatedHeartbeats(t *testing.T, p *peer) {
	before, err := p.ours.instance(t.Context(), p.guest.app(), p.guest.id())
	if err != nil {
		t.Fatal(err)
	}
	p.renewUntil(t, func() error {
		now, err := p.ours.instance(t.Context(), p.guest.app(), p.guest.id())
		switch {
		case err != nil:
			return err
		case now.Lease.Registration != before.Lease.Registration:
			t.Fatal("it was registered again and not renewed")
		case milliseconds(now.Lease.LastRenewal-before.Lease.LastRenewal) < 3*interval:
			return errors.New("the lease was not renewed for three intervals")
		}
		return nil
	})
}

func expectReplicatedMetadata(t *testing.T, p *peer) {
	p.guest.setMetadata(t, "colour", "blue")
	p.expect(t, func(now instance) error {
		if now.Metadata["colour"] != "blue" {
			return fmt.Errorf("metadata is %v, want colour=blue", now.Metadata)
		}
		return nil
	})
}

func expectReplicatedOverride(t *testing.T, p *peer) {
	p.guest.takeOut(t)
	p.expectStatus(t, "OUT_OF_SERVICE", "OUT_OF_SERVICE")
	p.renew(t)
	p.guest.putBack(t)
	p.expectStatus(t, "UP", "UNKNOWN")
}

func (p *peer) expectStatus(t *testing.T, status, overridden string) {
	t.Helper()
	p.expect(t, func(now instance) error {
		if now.Status != status || now.OverriddenStatus != overridden {
			return fmt.Errorf("status is %s and overridden %s, want %s and %s", now.Status, now.OverriddenStatus, status, overridden)
		}
		return nil
	})
}

func expectReplicatedStatus(t *testing.T, p *peer) {
	p.guest.report(t, "DOWN")
	p.expectStatus(t, "DOWN", "UNKNOWN")
	p.guest.report(t, "UP")
	p.expectStatus(t, "UP", "UNKNOWN")
}

// The peer's heartbeat is refused with our description, which it adopts.
func expectAdopted(t *testing.T, p *peer) {
	here := p.guest
	here.server = p.ours
	here.report(t, "STARTING")
	p.renewUntil(t, func() error {
		now, err := p.theirs.instance(t.Context(), p.guest.app(), p.guest.id())
		if err == nil && now.Status != "STARTING" {
			err = fmt.Errorf("the peer has it %s, want STARTING", now.Status)
		}
		return err
	})
	p.guest.report(t, "UP")
	p.expectStatus(t, "UP", "UNKNOWN")
}

func expectReplicatedAgain(t *testing.T, p *peer) {
	if err := p.ours.Kill(); err != nil {
		t.Fatal(err)
	}
	p.renew(t)
	p.ours.start(t)
	p.renewUntil(t, func() error {
		found, err := p.ours.listed(t.Context(), p.guest.app())
		if err == nil && len(found) != 1 {
			err = fmt.Errorf("%d instances are listed, want one", len(found))
		}
		return err
	})
	p.expectStatus(t, "UP", "UNKNOWN")
}

func expectReplicatedCancel(t *testing.T, p *peer) {
	p.guest.cancel(t)
	suite.Eventually(t, soon, func() error { return p.ours.isGone(t, p.guest.app()) })
}
