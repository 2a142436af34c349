package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"

	"github.com/eurekube/eurekube/internal/httpserver"
)

// listening opens the address of a server, which the operator gave by flag.
func (o *Options) listening(flag string, server *httpserver.Server) func(context.Context) error {
	return func(ctx context.Context) error { return o.refused(flag, server.Listen(ctx)) }
}

// refused tells of an address that cannot be had in the operator's words, with what
// to do. Any other error stays as it is, such as that of a certificate.
func (o *Options) refused(flag string, err error) error {
	operation, ok := errors.AsType[*net.OpError](err)
	if !ok {
		return err
	}
	err = operation.Err
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		err = number // without the system call that returned it
	}
	remedy := "give another address (" + Variable(flag) + ")"
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		remedy = "end the program that has it or " + remedy
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		remedy = "it is none of this machine's; " + remedy
	case errors.Is(err, syscall.EACCES):
		remedy = "run with the right to open ports below 1024 or " + remedy
	}
	return fmt.Errorf("%s: %w: %s", o.typed(flag), err, remedy)
}
