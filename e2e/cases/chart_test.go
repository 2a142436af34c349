package cases

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eurekube/eurekube/e2e/devcluster"
)

const (
	chart   = "../../charts/eurekube"
	release = "eurekube" // the chart gives this name to its service account too
)

// installation is the chart, installed by Helm as an operator does.
type installation struct {
	namespace      string
	serviceAccount string
}

// installChart installs the chart into namespace with the values given, as
// --set takes them. The Deployment it makes runs on fake nodes, that is not at
// all: the program of the test takes the place of its pods.
func installChart(t *testing.T, namespace string, values ...string) installation {
	t.Helper()
	args := []string{"install", release, chart, "--namespace=" + namespace}
	for _, value := range values {
		args = append(args, "--set="+value)
	}
	helm(t, args...)
	return installation{namespace: namespace, serviceAccount: release}
}

// user is the name of the installation in the audit log.
func (i installation) user() string {
	return devcluster.ServiceAccountUser(i.namespace, i.serviceAccount)
}

// kubeconfig returns a file that acts as the installation's service account
// through address; empty is the API server's own.
func (i installation) kubeconfig(t *testing.T, address string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kubeconfig")
	err := cluster.ServiceAccountKubeconfig(t.Context(), i.namespace, i.serviceAccount, address, path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// startIn installs the chart for one namespace and starts a program that
// watches it, ready.
func startIn(t *testing.T, namespace string, args ...string) *program {
	t.Helper()
	installed := installChart(t, namespace, "namespaces={"+namespace+"}")
	args = append([]string{"--namespaces=" + namespace}, args...)
	program := startProgram(t, installed.kubeconfig(t, ""), args...)
	program.expectReady(t)
	return program
}

func helm(t *testing.T, args ...string) string {
	t.Helper()
	return command(t, programs.Helm, append([]string{"--kubeconfig=" + cluster.Kubeconfig()}, args...)...)
}

func kubectl(t *testing.T, args ...string) string {
	t.Helper()
	args = append([]string{"kubectl", "--kubeconfig=" + cluster.Kubeconfig()}, args...)
	return command(t, programs.Devcluster, args...)
}

func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, output)
	}
	return string(output)
}
