package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
			if got := len(o.Webhook.hosts()); got != tt.told {
				t.Errorf("%d webhooks, want %d", got, tt.told)
			}
		})
	}
}
