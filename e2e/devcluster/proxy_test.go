package devcluster

import (
	"bufio"
	"fmt"
	"net"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestProxy_CutBreaksAndRestoreHeals(t *testing.T) {
	defer goleak.VerifyNone(t)
	target := startEcho(t)
	defer target.Close()
	proxy, err := startProxy(target.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()

	conn := dial(t, proxy.Address())
	defer conn.Close()
	if err := echo(conn); err != nil {
		t.Fatalf("through the proxy: %v", err)
	}
	proxy.Cut()
	if err := echo(conn); err == nil {
		t.Error("the connection survived Cut")
	}
	during := dial(t, proxy.Address())
	defer during.Close()
	if err := echo(during); err == nil {
		t.Error("a connection made after Cut works")
	}
	proxy.Restore()
	after := dial(t, proxy.Address())
	defer after.Close()
	if err := echo(after); err != nil {
		t.Errorf("after Restore: %v", err)
	}
	if err := proxy.Close(); err != nil {
		t.Error(err)
	}
	if err := echo(after); err == nil {
		t.Error("the connection survived Close")
	}
}

func TestProxy_WithoutServerEndsTheConnection(t *testing.T) {
	defer goleak.VerifyNone(t)
	target := startEcho(t)
	target.Close()
	proxy, err := startProxy(target.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	conn := dial(t, proxy.Address())
	defer conn.Close()
	if err := echo(conn); err == nil {
		t.Error("a connection to nobody works")
	}
}

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// echo sends a line over conn and reads it back.
func echo(conn net.Conn) error {
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(conn, "hello"); err != nil {
		return err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err == nil && line != "hello\n" {
		err = fmt.Errorf("echo of hello is %q", line)
	}
	return err
}

// startEcho starts a server that sends back what it gets.
func startEcho(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				lines := bufio.NewScanner(conn)
				for lines.Scan() {
					fmt.Fprintln(conn, lines.Text())
				}
			}()
		}
	}()
	return listener
}
