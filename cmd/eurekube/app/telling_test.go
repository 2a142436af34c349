package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"
)

// TestWebhookSecretSurvivesItsFile reads the key three times in each state of the
// file: each state is told once, and none of it gives the key away.
func TestWebhookSecretSurvivesItsFile(t *testing.T) {
	logger := ktesting.NewLogger(t, ktesting.NewConfig(ktesting.BufferLogs(true)))
	t.Cleanup(klog.CaptureState().Restore) // to set the logger before would have klog call itself
	klog.SetLogger(logger)
	file := filepath.Join(t.TempDir(), "key")
	write := func(content string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("s3cret-1")
	w := Webhook{SecretFile: file}
	secret, err := w.secret()
	if err != nil {
		t.Fatal(err)
	}
	want := func(when, key string, failures, recoveries int) {
		t.Helper()
		for range 3 {
			if got := string(secret()); got != key {
				t.Errorf("%s: key = %q, want %q", when, got, key)
			}
		}
		log := logger.GetSink().(ktesting.Underlier).GetBuffer().String()
		if n, m := strings.Count(log, "cannot be read"), strings.Count(log, "can be read again"); n != failures || m != recoveries {
			t.Errorf("%s: %d failures and %d recoveries were logged, want %d and %d:\n%s", when, n, m, failures, recoveries, log)
		}
		if strings.Contains(log, "s3cret") {
			t.Errorf("%s: the log gives the key away:\n%s", when, log)
		}
	}
	want("at first", "s3cret-1", 0, 0)
	write("")
	want("emptied", "s3cret-1", 1, 0)
	write("s3cret-2")
	want("written again", "s3cret-2", 1, 1)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	want("removed", "s3cret-2", 2, 1)
	write("s3cret-2")
	want("there again", "s3cret-2", 2, 2)
}
