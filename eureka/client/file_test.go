package client_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/client"
	"github.com/eurekube/eurekube/eureka/codec"
)

// savedList is a file that a discovery wrote which ran for two minutes.
func savedList(t *testing.T, instances ...*eureka.Instance) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "list")
	n := newNetwork()
	n.serve("a", &script{full: list("", "", instances...)})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	if err := client.NewDiscovery(servers(t, n, "a"), client.DiscoveryConfig{File: path}).Run(ctx); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSavedListIsUsedWhileNoServerAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one := with(instance("ORDERS", "1"), func(i *eureka.Instance) { i.Metadata = map[string]string{"a": "<&>\n"} })
		path := savedList(t, one)
		time.Sleep(time.Hour)
		d, n := started(t, nil, client.DiscoveryConfig{File: path})
		got := d.Instances("ORDERS")
		if len(got) != 1 || !got[0].SameDescription(one) {
			t.Errorf("instances of the file = %q, want the one that was saved as it was", ids(got))
		}
		if age := d.Age(); age < time.Hour || age > 2*time.Hour {
			t.Errorf("Age = %v, want that of the file", age)
		}
		n.serve("a", &script{full: list("", "", instance("ORDERS", "2"))})
		time.Sleep(time.Minute)
		if diff := cmp.Diff([]string{"2"}, ids(d.Instances("ORDERS"))); diff != "" {
			t.Errorf("instances once a server answers (-want +got):\n%s", diff)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the file's mode = %v, %v, want that only its owner reads it", info.Mode(), err)
		}
	})
}

func TestSavedListIsNotShownWhenAServerAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := savedList(t, instance("ORDERS", "1"))
		n := newNetwork()
		n.serve("a", &script{full: list("", "", instance("ORDERS", "2"))})
		d := discover(t, servers(t, n, "a"), client.DiscoveryConfig{File: path})
		if err := d.WaitReady(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"2"}, ids(d.Instances("ORDERS"))); diff != "" {
			t.Errorf("first instances (-want +got):\n%s", diff)
		}
		n.serve("a", nil)
		time.Sleep(time.Hour)
		if diff := cmp.Diff([]string{"2"}, ids(d.Instances("ORDERS"))); diff != "" {
			t.Errorf("instances an hour after the server went (-want +got):\n%s", diff)
		}
	})
}

// TestEmptySavedListIsNotShown holds that a program waits for a server rather than
// believe a file that nobody is there.
func TestEmptySavedListIsNotShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "list")
		empty := codec.JSON.AppendApplications(nil, &eureka.Applications{})
		if err := os.WriteFile(path, fmt.Appendf(nil, "eurekube-list 1 1 %x\n%s", sha256.Sum256(empty), empty), 0o600); err != nil {
			t.Fatal(err)
		}
		d, _ := started(t, nil, client.DiscoveryConfig{File: path})
		if d.Ready() || d.Stats().FileErrors != 0 {
			t.Errorf("Ready = %t with %+v, want neither a list nor an error", d.Ready(), d.Stats())
		}
	})
}

func TestSavedListWinsOverAnEmptyServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _ := started(t, &script{full: list("", "")}, client.DiscoveryConfig{File: savedList(t, instance("ORDERS", "1"))})
		if diff := cmp.Diff([]string{"1"}, ids(d.Instances("ORDERS"))); diff != "" {
			t.Errorf("instances after a minute (-want +got):\n%s", diff)
		}
		time.Sleep(2 * time.Minute)
		if got := d.Instances("ORDERS"); got != nil {
			t.Errorf("instances after three minutes = %q, want that the server is believed", ids(got))
		}
	})
}

func TestDamagedFileIsIgnored(t *testing.T) {
	tests := []struct {
		name   string
		damage func(text []byte) []byte
	}{
		{"empty", func([]byte) []byte { return nil }},
		{"cut", func(text []byte) []byte { return text[:len(text)-20] }},
		{"one digit", func(text []byte) []byte { return bytes.Replace(text, []byte("8080"), []byte("8081"), 1) }},
		{"other version", func(text []byte) []byte { return bytes.Replace(text, []byte("list 1 "), []byte("list 2 "), 1) }},
		{"something else", func([]byte) []byte { return []byte("{}\n") }},
		{"no list", func([]byte) []byte {
			return []byte("eurekube-list 1 1 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n")
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				path := savedList(t, instance("ORDERS", "1"))
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, tt.damage(text), 0o600); err != nil {
					t.Fatal(err)
				}
				d, n := started(t, nil, client.DiscoveryConfig{File: path})
				if d.Ready() || d.Stats().FileErrors != 1 {
					t.Errorf("Ready = %t with %+v, want no list and one error", d.Ready(), d.Stats())
				}
				n.serve("a", &script{full: list("", "", instance("ORDERS", "1"))})
				time.Sleep(2 * time.Minute)
				if text, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(text, []byte("eurekube-list 1 ")) {
					t.Errorf("the file after a server answered = %q, %v, want a good one", text, err)
				}
			})
		})
	}
}

func TestFileLongerThanAnyListIsIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		on := servers(t, newNetwork(), "a")
		client.Bound(on, 100)
		d := discover(t, on, client.DiscoveryConfig{File: savedList(t, instance("ORDERS", "1"))})
		time.Sleep(time.Minute)
		if d.Ready() || d.Stats().FileErrors != 1 {
			t.Errorf("Ready = %t with %+v, want no list and one error", d.Ready(), d.Stats())
		}
	})
}

// TestUnfinishedFilesAreRemoved has the folder as a process leaves it that is killed
// while it writes.
func TestUnfinishedFilesAreRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := savedList(t, instance("ORDERS", "1"))
		for _, name := range []string{"list.123.tmp", "list.4294967295.tmp", "list.copy.tmp", "list.5.tmp.old", "other.6.tmp"} {
			if err := os.WriteFile(filepath.Join(filepath.Dir(path), name), []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		started(t, nil, client.DiscoveryConfig{File: path})
		entries, err := os.ReadDir(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		var left []string
		for _, entry := range entries {
			left = append(left, entry.Name())
		}
		if diff := cmp.Diff([]string{"list", "list.5.tmp.old", "list.copy.tmp", "other.6.tmp"}, left); diff != "" {
			t.Errorf("files once a discovery began (-want +got):\n%s", diff)
		}
	})
}
