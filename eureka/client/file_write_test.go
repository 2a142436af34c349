package client_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"github.com/eurekube/eurekube/eureka/client"
)

// saving runs a discovery that reads the list of s every second and writes it to
// path, until the returned function is called.
func saving(t *testing.T, ctx context.Context, s *script, path string) (d *client.Discovery, stop func()) {
	t.Helper()
	n := newNetwork()
	n.serve("a", s)
	d = client.NewDiscovery(servers(t, n, "a"), client.DiscoveryConfig{Interval: time.Second, File: path})
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error)
	go func() { done <- d.Run(ctx) }()
	synctest.Wait()
	return d, func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// lists has the server list one instance of an app.
func (s *script) lists(app string) *script {
	return s.set(func(s *script) { s.full = list("", "", instance(app, "1")) })
}

// wantSaved wants a file to have an app in it.
func wantSaved(t *testing.T, when, path, app string) {
	t.Helper()
	if text, err := os.ReadFile(path); err != nil || !bytes.Contains(text, []byte(app)) {
		t.Errorf("the file %s = %q, %v, want the list with %s", when, text, err, app)
	}
}

// TestListIsSavedNowAndThen also reads what a program reads that has opened the file
// while it is written.
func TestListIsSavedNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path, s := filepath.Join(t.TempDir(), "list"), new(script).lists("ORDERS")
		_, stop := saving(t, t.Context(), s, path)
		defer stop()
		wantSaved(t, "at first", path, "ORDERS")
		opened, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
		s.lists("STOCK")
		time.Sleep(15 * time.Second)
		wantSaved(t, "15 s after a write", path, "ORDERS")
		time.Sleep(16 * time.Second)
		wantSaved(t, "30 s after a write", path, "STOCK")
		if text, err := io.ReadAll(opened); err != nil || !bytes.Contains(text, []byte("ORDERS")) {
			t.Errorf("whoever had opened the file reads %q, %v, want the list before as a whole", text, err)
		}
	})
}

// TestListIsSavedAtTheEnd has ten programs end, for they look at their end and at
// the change in any order.
func TestListIsSavedAtTheEnd(t *testing.T) {
	for range 10 {
		synctest.Test(t, func(t *testing.T) {
			path, s := filepath.Join(t.TempDir(), "list"), new(script).lists("ORDERS")
			_, stop := saving(t, t.Context(), s, path)
			s.lists("STOCK")
			time.Sleep(5 * time.Second) // less than there is between two writes
			stop()
			wantSaved(t, "at the end", path, "STOCK")
		})
	}
}

// TestFileThatCannotBeWritten has no folder for the file, or a folder in its place.
func TestFileThatCannotBeWritten(t *testing.T) {
	for _, folder := range []string{"elsewhere", "list"} {
		t.Run(folder, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir := t.TempDir()
				if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
					t.Fatal(err)
				}
				path := map[string]string{"elsewhere": filepath.Join(dir, "absent", "list"), "list": filepath.Join(dir, "list")}[folder]
				var log syncBuffer
				logger := textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&log)))
				s := new(script).lists("ORDERS")
				d, stop := saving(t, klog.NewContext(t.Context(), logger), s, path)
				first := d.Stats().FileErrors
				for _, app := range []string{"STOCK", "CART"} {
					s.lists(app)
					time.Sleep(time.Minute)
				}
				stop()
				if got := d.Stats().FileErrors; first == 0 || got != first+2 || !d.Ready() {
					t.Errorf("Ready = %t, %d errors at first and %d in the end; want a list all the same, and one more for each change", d.Ready(), first, got)
				}
				if got := strings.Count(log.String(), "Could not save the list"); got != 1 {
					t.Errorf("the log says so %d times, want once:\n%s", got, log.String())
				}
				wantFiles(t, dir, folder)
			})
		})
	}
}

func TestNothingIsLeftBesideTheFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wantFiles(t, filepath.Dir(savedList(t, instance("ORDERS", "1"))), "list")
	})
}

// wantFiles wants a folder to have one file or folder in it.
func wantFiles(t *testing.T, dir, name string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != name {
		t.Errorf("files = %v, %v, want %s alone", entries, err, name)
	}
}
