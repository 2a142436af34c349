package address_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/eurekube/eurekube/e2e/address"
)

// otherVariable makes the test binary another process: it takes as many addresses as
// it holds and says them.
const otherVariable = "ADDRESS_TEST_OTHER"

func TestMain(m *testing.M) {
	var count int
	if _, err := fmt.Sscan(os.Getenv(otherVariable), &count); err != nil {
		os.Exit(m.Run())
	}
	for range count {
		free, err := address.Free("127.0.0.1")
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(free)
	}
}

// Two processes that take hundreds each of 12,000 ports would choose some of them twice.
func TestFree_GivesAnAddressToOneAlone(t *testing.T) {
	const count = 600
	taken := map[string]bool{}
	for range count {
		free, err := address.Free("127.0.0.1")
		if err != nil {
			t.Fatal(err)
		}
		if taken[free] {
			t.Errorf("Free() gave %s twice", free)
		}
		taken[free] = true
	}
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), fmt.Sprintf("%s=%d", otherVariable, count))
	output, err := other.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	theirs := strings.Fields(string(output))
	if len(theirs) != count {
		t.Fatalf("the other process took %d addresses, want %d", len(theirs), count)
	}
	for _, free := range theirs {
		if taken[free] {
			t.Errorf("another process was given %s, too", free)
		}
	}
}

func TestFree_IsForOneServerAfterTheOther(t *testing.T) {
	free, err := address.Free("127.0.0.3")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if conn, err := net.Dial("tcp", free); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Fatalf("Dial() before somebody listens = %v, %v, want %v", conn, err, syscall.ECONNREFUSED)
		}
		listener, err := net.Listen("tcp", free)
		if err != nil {
			t.Fatal(err)
		}
		if second, err := net.Listen("tcp", free); !errors.Is(err, syscall.EADDRINUSE) {
			t.Errorf("Listen() beside another = %v, %v, want %v", second, err, syscall.EADDRINUSE)
		}
		conn, err := net.Dial("tcp", free)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(conn.Close(), listener.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFree_RefusesWhatIsNoIPv4Address(t *testing.T) {
	for _, host := range []string{"", "localhost", "::1"} {
		if free, err := address.Free(host); err == nil {
			t.Errorf("Free(%q) = %s, want an error", host, free)
		}
	}
}
