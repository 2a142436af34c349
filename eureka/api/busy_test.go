package api

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/crypto/bcrypt"

	"github.com/eurekube/eurekube/internal/auth"
)

// TestTooManyStrangersAreToldToComeAgain sends more guesses at the same time than
// may wait for bcrypt, which compares them in turn. One comparison takes so long that
// all of them have come meanwhile, and when one was refused nobody waits any longer.
func TestTooManyStrangersAreToldToComeAgain(t *testing.T) {
	const guesses = 100
	hash, err := bcrypt.GenerateFromPassword([]byte("s3cret"), 11)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(path, []byte("user:"+string(hash)), 0o600); err != nil {
		t.Fatal(err)
	}
	users, err := auth.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	s := run(t, func(s *server, config *Config) {
		withLeases(s, config)
		config.Users = users
	})
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	answers := make([]*httptest.ResponseRecorder, guesses)
	var all sync.WaitGroup
	for i := range answers {
		answers[i] = httptest.NewRecorder()
		r := httptest.NewRequestWithContext(ctx, http.MethodPut, "/eureka/apps/A/i1", nil)
		r.SetBasicAuth("user", fmt.Sprint("guess ", i))
		all.Go(func() {
			s.api.ServeHTTP(answers[i], r)
			if answers[i].Code == http.StatusServiceUnavailable {
				leave()
			}
		})
	}
	all.Wait()
	count := make(map[int]int)
	for _, a := range answers {
		count[a.Code]++
		if again := a.Header().Get("Retry-After"); (again == "1") != (a.Code == http.StatusServiceUnavailable) || a.Body.Len() > 0 {
			t.Errorf("answer = %d, Retry-After %q, body %q", a.Code, again, a.Body)
		}
	}
	if count[http.StatusUnauthorized] == 0 || count[http.StatusServiceUnavailable] == 0 || len(count) != 2 {
		t.Errorf("answers by status = %v, want some 401 and some 503", count)
	}
}
