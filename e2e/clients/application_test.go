package clients

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/eurekube/eurekube/e2e/process"
	"github.com/eurekube/eurekube/e2e/suite"
)

// The intervals of clients under test, in place of 30 and 90 seconds.
const (
	renewalInterval = 1 * time.Second
	leaseDuration   = 4 * time.Second
	fetchInterval   = 1 * time.Second
)

// serviceName is the name of the application unless a test gives another.
const serviceName = "storefront"

// application is a running client: a service that registers itself and discovers
// others.
type application struct {
	*process.Process
	app  string // as Eureka lists it
	id   string // what it calls itself
	host string
	port int

	expected []expectation // in its log
}

// startSpringBoot4 starts the application of the directory spring-boot-4, which
// registers at serviceURL as name, reached at a free port of host, and returns when
// it answers. options are Spring properties, as KEY=VALUE. When the test ends, it is
// killed and its log is read.
func startSpringBoot4(t *testing.T, serviceURL, name, host string, options ...string) *application {
	t.Helper()
	return startSpringBoot4At(t, serviceURL, name, freePort(t, host), options...)
}

// startSpringBoot4At is startSpringBoot4 at an address that the test has chosen.
func startSpringBoot4At(t *testing.T, serviceURL, name, address string, options ...string) *application {
	t.Helper()
	host, number, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	a := &application{app: strings.ToUpper(name), host: host}
	if a.port, err = strconv.Atoi(number); err != nil {
		t.Fatal(err)
	}
	options = append([]string{
		"spring.application.name=" + name,
		"server.address=" + host,
		"server.port=" + number,
		"eureka.instance.ip-address=" + host,
		"eureka.client.service-url.defaultZone=" + serviceURL,
		"eureka.instance.lease-renewal-interval-in-seconds=" + seconds(renewalInterval),
		"eureka.instance.lease-expiration-duration-in-seconds=" + seconds(leaseDuration),
		"eureka.client.registry-fetch-interval-seconds=" + seconds(fetchInterval),
		"eureka.client.initial-instance-info-replication-interval-seconds=0",
		"eureka.client.instance-info-replication-interval-seconds=1",
	}, options...)
	// An application that lives for seconds is best compiled as little as possible.
	args := []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m", "-jar", programs.springBoot4}
	for _, option := range options {
		args = append(args, "--"+option)
	}
	a.Process, err = process.Start(name, filepath.Join(t.TempDir(), "application.log"), "java", args, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Not the server's fault, or a lease would show it.
	a.allows("TimedSupervisorTask: task supervisor timed out",
		"the client gives its tasks an interval's time, of which a busy machine may need more")
	t.Cleanup(func() { a.end(t) })
	a.expectAnswer(t)
	return a
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }

func (a *application) end(t *testing.T) {
	if err := a.Kill(); err != nil {
		t.Error(err)
	}
	expectNoComplaints(t, a.LogPath(), a.expected)
	if t.Failed() {
		t.Logf("the last lines of the client's log:\n%s", a.LogTail(40))
	}
}

// expects says that the log may hold entries that pattern matches, and must hold
// one, because of what the test does.
func (a *application) expects(pattern, because string) {
	a.expected = append(a.expected, expectation{regexp.MustCompile(pattern), because, true})
}

// allows is expects without the must: whether there is one is a matter of timing.
func (a *application) allows(pattern, because string) {
	a.expected = append(a.expected, expectation{regexp.MustCompile(pattern), because, false})
}

// startTime is how long a JVM may take to start on a busy machine. It is 7 seconds
// on two idle cores.
const startTime = 2 * time.Minute

func (a *application) expectAnswer(t *testing.T) {
	t.Helper()
	suite.Eventually(t, startTime, func() error {
		select {
		case <-a.Ended():
			t.Fatal("the application ended")
		default:
		}
		status, body, err := send(t.Context(), http.MethodGet, a.url("/self/id"), "")
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("the application answers %d", status)
		}
		a.id = body
		return err
	})
}

func (a *application) url(path string) string {
	return fmt.Sprintf("http://%s:%d%s", a.host, a.port, path)
}

// discovered are the URLs that the application would call, by service.
func (a *application) discovered(ctx context.Context) (map[string][]string, error) {
	var urls map[string][]string
	err := read(ctx, a.url("/discovered"), &urls)
	return urls, err
}

// tell sends the application an order: PUT with a body, which may be empty.
func (a *application) tell(t *testing.T, path, body string) {
	t.Helper()
	status, answer, err := send(t.Context(), http.MethodPut, a.url(path), body)
	if err != nil {
		t.Fatal(err)
	}
	if status != http.StatusOK {
		t.Fatalf("PUT %s = %d %s", path, status, answer)
	}
}
