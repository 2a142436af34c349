package api

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eurekube/eurekube/eureka/registry"
)

// TestADeltaThatForgotIsNotTheSame asks again for a delta whose changes are too
// old by now: the list has not changed since and the delta has.
func TestADeltaThatForgotIsNotTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, func(*server, *Config) {})
		s.registry.Replace(registry.OwnerPod, "orders", registry.Listed(inst("ORDERS", "i1")))
		s.open()
		list, delta := s.get("/eureka/apps", acceptJSON), s.get("/eureka/apps/delta", acceptJSON)
		if !strings.Contains(delta.text, `"i1"`) {
			t.Fatalf("delta = %s, want i1 in it", delta.text)
		}
		time.Sleep(registry.DeltaWindow + time.Minute)
		synctest.Wait()
		if a := s.get("/eureka/apps/delta", acceptJSON, "If-None-Match: "+delta.Header.Get("ETag")); a.StatusCode != http.StatusOK || strings.Contains(a.text, `"i1"`) {
			t.Errorf("answer = %d %s after the delta forgot i1, want 200 without it", a.StatusCode, a.text)
		}
		if a := s.get("/eureka/apps", acceptJSON, "If-None-Match: "+list.Header.Get("ETag")); a.StatusCode != http.StatusNotModified {
			t.Errorf("answer to a read of the list = %d, want 304", a.StatusCode)
		}
	})
}
