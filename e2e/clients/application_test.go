package clients

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/e2e/process"
	"github.com/eurekube/eurekube/e2e/suite"
)

// application is a running client: a service that registers itself and discovers
// others.
type application struct {
	*process.Process
	app  string // as Eureka lists it
	id   string // what it calls itself
	host string
	port int
	log  *logReader
	says map[string][]expectation
}

// startApplication starts the client's program and returns when it answers. When the
// test ends, it is killed.
func startApplication(t *testing.T, c client, s settings) *application {
	t.Helper()
	host, number, err := net.SplitHostPort(s.address)
	if err != nil {
		t.Fatal(err)
	}
	a := &application{app: strings.ToUpper(s.service), host: host, says: c.says}
	if a.port, err = strconv.Atoi(number); err != nil {
		t.Fatal(err)
	}
	run := c.command(t, s)
	a.Process, err = process.Start(c.name, s.logPath, run.path, run.args, run.env)
	if err != nil {
		t.Fatal(err)
	}
	a.log = &logReader{path: s.logPath}
	t.Cleanup(func() {
		if err := a.Kill(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("the last lines of the client's log:\n%s", a.LogTail(40))
		}
	})
	a.expectAnswer(t)
	return a
}

// startTime is how long a JVM may take to start on a busy machine. It is 7 seconds
// on two idle cores.
const startTime = 5 * time.Minute

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

// isDiscovered returns an error unless the application would call exactly these
// URLs, by service.
func (a *application) isDiscovered(ctx context.Context, want map[string][]string) error {
	var got map[string][]string
	if err := read(ctx, a.url("/discovered"), &got); err != nil {
		return err
	}
	if diff := cmp.Diff(want, got); diff != "" {
		return fmt.Errorf("discovered services differ (-want +got):\n%s", diff)
	}
	return nil
}

// expectDiscovered waits until isDiscovered is content.
func (a *application) expectDiscovered(t *testing.T, within time.Duration, want map[string][]string) {
	t.Helper()
	suite.Eventually(t, within, func() error { return a.isDiscovered(t.Context(), want) })
}

// known is what the application's copy of the registry holds of an app.
type known struct {
	ID       string            `json:"id"`
	Status   string            `json:"status"`
	Metadata map[string]string `json:"metadata"`
}

func (a *application) known(ctx context.Context, app string) ([]known, error) {
	var instances []known
	err := read(ctx, a.url("/known?app="+app), &instances)
	return instances, err
}

// tell sends the application an order: PUT with a body, which may be empty.
func (a *application) tell(t *testing.T, path, body string) {
	t.Helper()
	status, answer, err := send(t.Context(), http.MethodPut, a.url(path), body)
	if err != nil {
		t.Fatal(err)
	}
	if status < 200 || status > 299 {
		t.Fatalf("PUT %s = %d %s", path, status, answer)
	}
}

// expectStops ends the application as an operator does and returns when it has
// ended.
func (a *application) expectStops(t *testing.T) {
	t.Helper()
	if err := a.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-a.Ended():
	case <-time.After(soon):
		t.Fatalf("the application did not end within %s", soon)
	}
}

// expectQuiet fails the test when the application's log complains of anything that
// it may not in the case given. It reads what is new since it was last called.
func (a *application) expectQuiet(t *testing.T, step string) {
	t.Helper()
	a.log.expectNoComplaints(t, slices.Concat(a.says[""], a.says[step]))
}
