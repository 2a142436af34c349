// Package binaries builds the programs that cases run: devcluster, eurekube
// from this checkout, Helm from its module, and clients in Java, Node, Python and
// Go, each with the tool of its language.
//
// They are kept in the user's cache directory, since a cold build of the
// control plane takes minutes. It is not for images and not for releases.
package binaries

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Set holds the paths of the programs.
type Set struct {
	Devcluster, Eurekube, Helm string
}

// DevclusterVariable is the environment variable that names a devcluster
// program built beforehand. It is then used as it is. It does not begin with
// EUREKUBE_, since the program under test takes all of those for flags.
const DevclusterVariable = "DEVCLUSTER_PROGRAM"

// kubernetesVersion is what the control plane says it is. Without it the
// version is v0.0.0-master, which Helm holds for older than any chart asks for.
// It goes with the version of k8s.io/kubernetes in go.mod.
const (
	kubernetesVersion = "v1.37.2"
	versionPackage    = "k8s.io/component-base/version."
)

// Build returns the programs and builds those that are missing or, for
// eurekube, may have changed. It must be called inside the e2e module; several
// processes may call it at once.
func Build(ctx context.Context) (Set, error) {
	devcluster, err := Devcluster(ctx)
	if err != nil {
		return Set{}, err
	}
	module, cache, unlock, err := open(ctx, "go")
	if err != nil {
		return Set{}, err
	}
	defer unlock()
	helm, err := buildHelm(ctx, module, cache)
	if err != nil {
		return Set{}, err
	}
	eurekube, err := buildEurekube(ctx, module, cache)
	if err != nil {
		return Set{}, err
	}
	return Set{Devcluster: devcluster, Eurekube: eurekube, Helm: helm}, nil
}

// Devcluster is Build for the control plane alone. A first build takes up to a
// quarter of an hour on two cores.
func Devcluster(ctx context.Context) (string, error) {
	if path := os.Getenv(DevclusterVariable); path != "" {
		return path, nil
	}
	module, cache, unlock, err := open(ctx, "devcluster")
	if err != nil {
		return "", err
	}
	defer unlock()
	return buildDevcluster(ctx, module, cache)
}

func buildDevcluster(ctx context.Context, module, cache string) (string, error) {
	sum, err := hashOf(module, "go.mod", "go.sum", "address", "binaries", "devcluster", "process")
	if err != nil {
		return "", err
	}
	path := filepath.Join(cache, "devcluster-"+sum)
	if exists(path) {
		return path, nil
	}
	flags := "-s -w" +
		" -X " + versionPackage + "gitVersion=" + kubernetesVersion +
		" -X " + versionPackage + "gitMajor=1" +
		" -X " + versionPackage + "gitMinor=37"
	return path, run(ctx, module, nil, "go", "build", "-ldflags", flags, "-o", path, "./devcluster/cmd/devcluster")
}

// buildHelm builds the Helm that the chart's own tests pin.
func buildHelm(ctx context.Context, module, cache string) (string, error) {
	charttest := filepath.Join(filepath.Dir(module), "charts", "charttest")
	sum, err := hashOf(charttest, "go.mod", "go.sum")
	if err != nil {
		return "", err
	}
	path := filepath.Join(cache, "helm-"+sum)
	if exists(path) {
		return path, nil
	}
	return path, run(ctx, charttest, nil, "go", "build", "-o", path, "helm.sh/helm/v4/cmd/helm")
}

// run runs a command and returns what it printed when it does not succeed.
func run(ctx context.Context, dir string, env []string, name string, args ...string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = dir
	command.Env = append(os.Environ(), env...)
	output, err := command.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", command, err, output)
	}
	return nil
}
