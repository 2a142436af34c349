package clients

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/eurekube/eurekube/e2e/suite"
)

// The server dies, stays away for some heartbeats, and one that knows nothing takes
// its place: the application comes back by itself.
func TestSpringBoot4_RegistersAgainAtAnEmptyServer(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	a := startSpringBoot4(t, s.serviceURL(""), serviceName, "127.0.0.1")
	s.expectListed(t, a.app, "UP")
	a.expectDiscovered(t, soon, demoAnd(a))

	const because = "no server is there"
	a.expects("Connection refused", because)
	a.expects("was unable to send heartbeat", because)
	a.allows("I/O error on [A-Z]+ request", because)
	a.allows("was unable to refresh its cache|RetryableEurekaHttpClient: Request execution fail", because)
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	a.expectLogged(t, "was unable to send heartbeat")
	a.expectDiscovered(t, 0, demoAnd(a)) // what it knew it keeps

	a.expects("- Re-registering apps/STOREFRONT", "the new server has no lease of it")
	a.allows("hashcodes do not match", "the new server may be read before the application has registered again")
	s.start(t)
	s.expectListed(t, a.app, "UP")
	if refused := s.heartbeats(t, "404"); refused < 1 || refused > 3 {
		t.Errorf("%v heartbeats were answered 404 before it registered again, want at most three", refused)
	}
	s.expectRenewals(t, a, leaseDuration+renewalInterval, nil)
	a.expectDiscovered(t, soon, demoAnd(a))
}

// expectLogged waits until the application's log has text in it.
func (a *application) expectLogged(t *testing.T, text string) {
	t.Helper()
	suite.Eventually(t, soon, func() error {
		content, err := os.ReadFile(a.LogPath())
		if err == nil && !strings.Contains(string(content), text) {
			err = fmt.Errorf("the application has not logged %q", text)
		}
		return err
	})
}
