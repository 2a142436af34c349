package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

// writeLogs prints what is posted to /log.
func writeLogs(ctx context.Context, registry, address string) error {
	p, err := newProgram(ctx, registry, address, "LogService")
	if err != nil {
		return err
	}
	return p.run(ctx, "/log", func(w http.ResponseWriter, r *http.Request) {
		line, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4<<10))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		fmt.Printf("logged %q\n", line)
	}, func(context.Context) error { return nil })
}
