// Command devcluster-path prints the path of the devcluster program, which it
// builds if it is not in the cache. It is for the Makefile.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/eurekube/eurekube/e2e/binaries"
)

func main() {
	path, err := binaries.Devcluster(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(path)
}
