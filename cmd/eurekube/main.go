// Command eurekube serves labelled, ready pods as a Eureka registry.
package main

import (
	"context"
	"os"

	"github.com/eurekube/eurekube/cmd/eurekube/app"
)

func main() {
	os.Exit(app.Main(context.Background(), os.Args[1:], os.Environ(), os.Stdout, os.Stderr))
}
