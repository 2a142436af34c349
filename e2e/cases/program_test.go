package cases

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eurekube/eurekube/e2e/address"
	"github.com/eurekube/eurekube/e2e/process"
	"github.com/eurekube/eurekube/e2e/suite"
)

// program is a running eurekube.
type program struct {
	*process.Process
	base  string // of the Eureka API, without a path
	admin string
}

// startProgram starts eurekube with a kubeconfig file and further arguments and
// does not wait for it. It is killed when the test ends; its log is shown when
// the test failed.
func startProgram(t *testing.T, kubeconfig string, args ...string) *program {
	t.Helper()
	return startProgramWith(t, nil, kubeconfig, args...)
}

// startProgramWith is startProgram with further environment variables.
func startProgramWith(t *testing.T, env []string, kubeconfig string, args ...string) *program {
	t.Helper()
	listen, adminListen := freeAddress(t), freeAddress(t)
	args = append([]string{
		"serve", "--kubeconfig=" + kubeconfig, "--listen=" + listen, "--admin-listen=" + adminListen, "-v=2",
	}, args...)
	child, err := process.Start("eurekube", filepath.Join(t.TempDir(), "eurekube.log"), programs.Eurekube, args, env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := child.Kill(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("eurekube %s\n%s", strings.Join(args, " "), child.LogTail(60))
		}
	})
	return &program{Process: child, base: "http://" + listen, admin: "http://" + adminListen}
}

// expectReady waits until /readyz is 200.
func (p *program) expectReady(t *testing.T) {
	t.Helper()
	suite.Eventually(t, soon, func() error { return p.answers(t.Context(), p.admin+"/readyz", http.StatusOK) })
}

// answers returns an error unless a GET of url has the status wanted.
func (p *program) answers(ctx context.Context, url string, want int) error {
	select {
	case <-p.Ended():
		return fmt.Errorf("eurekube ended")
	default:
	}
	status, body, err := get(ctx, url)
	if err != nil {
		return err
	}
	if status != want {
		return fmt.Errorf("GET %s = %d %.200q, want %d", url, status, body, want)
	}
	return nil
}

// freeAddress returns an address of loopback that nobody listens on now.
func freeAddress(t *testing.T) string {
	t.Helper()
	free, err := address.Free("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	return free
}
