// Command devcluster runs a Kubernetes control plane on loopback until Ctrl-C.
//
// It is for a developer who wants to try eurekube on a real API server, and it
// is the binary that package devcluster starts the parts from: it executes
// itself once for each. It also carries kubectl, so that the machine needs none.
// It is no way to run containers: there are no kubelets.
//
//	devcluster              run a cluster in the foreground
//	devcluster kubectl ...  run kubectl
//	devcluster PART ...     run one part; for package devcluster
package main

import (
	"fmt"
	"os"
)

const usage = `Usage:
  devcluster              run a Kubernetes control plane on loopback until Ctrl-C
  devcluster kubectl ...  run kubectl, for a machine that has none
`

func main() {
	if len(os.Args) == 1 {
		os.Exit(exitCode(runForeground(os.Stdout)))
	}
	if code, known := runPart(os.Args[1], os.Args[2:]); known {
		os.Exit(code)
	}
	fmt.Fprint(os.Stderr, usage)
	os.Exit(2)
}
