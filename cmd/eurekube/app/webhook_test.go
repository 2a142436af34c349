package app

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"
)

func TestWebhookFlags(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	urls, none, key, empty := write("urls", "https://a.example/t0ken\n"), write("none", "# nobody\n"), write("key", " s3cret\n"), write("empty", "\n")
	tests := []struct {
		name string
		args []string
		env  []string
		told int    // how many webhooks there are
		says string // in the error, empty for none
	}{
		{name: "none"},
		{name: "one", args: []string{"--webhook=https://a.example/t0ken"}, told: 1},
		{name: "two", args: []string{"--webhook=https://a.example/x", "--webhook=http://b.example:8080"}, told: 2},
		{name: "two by the variable", env: []string{"EUREKUBE_WEBHOOK=https://a.example/x,https://b.example/y"}, told: 2},
		{name: "of a file and signed", args: []string{"--webhook-file=" + urls, "--webhook-secret-file=" + key}, told: 1},
		{name: "no scheme", args: []string{"--webhook=https://a.example,hooks.example/t0ken"}, says: "--webhook: URL 2 of 2 does not begin with http:// or https://"},
		{name: "a port that is none", args: []string{"--webhook=https://a.example:99999/t0ken"}, says: "has a port that is none"},
		{name: "twice", args: []string{"--webhook=https://a.example/t0ken", "--webhook-file=" + urls}, says: "a URL of host a.example is there twice"},
		{name: "twice, with other passwords", args: []string{"--webhook=https://u:t0ken@a.example/x,https://u:t0ken2@a.example/x"}, says: "a URL of host a.example is there twice"},
		{name: "twice, of other users", args: []string{"--webhook=https://u:t0ken@a.example/x,https://v:t0ken@a.example/x"}, told: 2},
		{name: "a file that is not there", args: []string{"--webhook-file=" + dir + "/absent"}, says: "--webhook-file: open "},
		{name: "a file with nothing", args: []string{"--webhook-file=" + none}, says: "holds no URL"},
		{name: "an empty key", args: []string{"--webhook=https://a.example", "--webhook-secret-file=" + empty}, says: "holds no key"},
		{name: "a key for nobody", args: []string{"--webhook-secret-file=" + key}, says: "needs --webhook or --webhook-file"},
		{name: "a Lease that is none", args: []string{"--webhook=https://a.example", "--webhook-lease=a/b/c"}, says: "--webhook-lease=a/b/c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := parse(t, append([]string{"--manifests=" + dir}, tt.args...), tt.env)
			err := o.Validate()
			if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Fatalf("Validate() = %v, want %q", err, tt.says)
			}
			if err != nil {
				if strings.Contains(err.Error(), "t0ken") || strings.Contains(err.Error(), "s3cret") {
					t.Errorf("Validate() = %v, want no secret", err)
				}
				return
			}
			if got, err := o.Webhook.receivers(); len(got) != tt.told || err != nil {
				t.Errorf("%d webhooks, %v; want %d", len(got), err, tt.told)
			}
		})
	}
}

// TestWebhookFileIsFollowed replaces the file as Kubernetes replaces a mounted Secret.
func TestWebhookFileIsFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		file := filepath.Join(dir, "urls")
		replace := func(name, content string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(name, filepath.Join(dir, "next")); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(filepath.Join(dir, "next"), file); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * webhookPoll)
			synctest.Wait()
		}
		replace("first", "https://a.example/t0ken")
		w := Webhook{URLs: []string{"https://flag.example/"}, File: file}
		told, err := w.receivers()
		if err != nil {
			t.Fatal(err)
		}
		var calls []string
		expect := func(want ...string) {
			t.Helper()
			if diff := cmp.Diff(want, calls); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
			calls = nil
		}
		logger := ktesting.NewLogger(t, ktesting.NewConfig(ktesting.BufferLogs(true)))
		ctx, cancel := context.WithCancel(klog.NewContext(t.Context(), logger))
		done := make(chan error)
		go func() {
			done <- w.follow(ctx, told, func(urls []*url.URL) {
				for _, u := range urls {
					calls = append(calls, u.String())
				}
			})
		}()
		replace("same", "https://a.example/t0ken\n")
		expect()
		replace("other", "https://b.example/t0ken\nhttps://u:s3cret@a.example/")
		expect("https://flag.example/", "https://b.example/t0ken", "https://u:s3cret@a.example/")
		replace("password", "https://b.example/t0ken\nhttps://u:s3cret2@a.example/")
		expect("https://flag.example/", "https://b.example/t0ken", "https://u:s3cret2@a.example/")
		replace("broken", "t0ken")
		replace("empty", "")
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		expect()
		replace("last", "https://c.example/")
		expect("https://flag.example/", "https://c.example/")
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		log := logger.GetSink().(ktesting.Underlier).GetBuffer().String()
		if n := strings.Count(log, "cannot be taken over"); n != 3 {
			t.Errorf("three contents that are of no use were logged %d times:\n%s", n, log)
		}
		if n := strings.Count(log, "can be taken over again"); n != 1 {
			t.Errorf("a file that is of use again was logged %d times:\n%s", n, log)
		}
		if strings.Contains(log, "t0ken") || strings.Contains(log, "s3cret") {
			t.Errorf("log = %s, want no secret", log)
		}
	})
}
