package auth

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// following opens a file with the given lines and follows it until the test ends.
func following(t *testing.T, lines ...string) *File {
	t.Helper()
	f := open(t, lines...)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- f.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return f
}

// TestAnotherUserCostsTheOthersNothing has bcrypt busy while the file is replaced.
func TestAnotherUserCostsTheOthersNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stays, changes := hashed(t, "stays", "right"), hashed(t, "changes", "right")
		f := following(t, stays, changes)
		for _, user := range []string{"stays", "changes"} {
			if !verify(t, f, user, "right") {
				t.Fatalf("Verify of %s = false, want true", user)
			}
		}
		for range cap(f.judge.slots) {
			f.judge.slots <- struct{}{}
		}
		write(t, f.path, "new:right", stays, hashed(t, "changes", "right"))
		time.Sleep(10 * time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if right, err := f.Verify(ctx, "stays", "right"); !right || err != nil {
			t.Errorf("Verify of who stayed = %v, %v; want that it is known", right, err)
		}
		if right, err := f.Verify(ctx, "changes", "right"); right || err == nil {
			t.Errorf("Verify of who has another hash = %v, %v; want that bcrypt is asked", right, err)
		}
	})
}

func TestLapsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := following(t, "plain:right", hashed(t, "hashed", "right"))
		lapsed := make(map[string]chan bool)
		for _, user := range []string{"plain", "hashed", "gone"} {
			r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
			r.SetBasicAuth(user, "right")
			ended := make(chan bool, 1)
			lapsed[user] = ended
			go func() { ended <- f.Lapsed(t.Context(), r) }()
		}
		expect := func(user string, want bool) {
			t.Helper()
			synctest.Wait()
			if got := len(lapsed[user]) > 0; got != want {
				t.Errorf("the credentials of %s lapsed: %v, want %v", user, got, want)
			}
		}
		expect("plain", false)
		expect("hashed", false)
		expect("gone", true) // between the verdict that let it in and the call

		write(t, f.path, "plain:right")
		time.Sleep(10 * time.Second)
		expect("plain", false)
		expect("hashed", true)

		write(t, f.path, "plain:other")
		time.Sleep(10 * time.Second)
		expect("plain", true)
	})
}

// TestLapsed_WhileNobodyKnows has more wait for bcrypt than may.
func TestLapsed_WhileNobodyKnows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := following(t, hashed(t, "hashed", "right"))
		for n := range maxPending {
			f.judge.pending[attempt{shown: fingerprint{byte(n)}}] = &verdict{done: make(chan struct{})}
		}
		r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
		r.SetBasicAuth("hashed", "wrong")
		lapsed := make(chan bool, 1)
		go func() { lapsed <- f.Lapsed(t.Context(), r) }()
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(lapsed) > 0 {
			t.Error("the credentials lapsed while nobody could judge them")
		}
		f.judge.mu.Lock()
		clear(f.judge.pending)
		f.judge.mu.Unlock()
		time.Sleep(2 * busyPause)
		synctest.Wait()
		if len(lapsed) == 0 {
			t.Error("the credentials go on though they are wrong")
		}
	})
}
