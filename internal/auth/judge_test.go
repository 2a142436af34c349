package auth

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// counted has comparisons counted, each of which takes a second.
func counted(f *File) *atomic.Int64 {
	var n atomic.Int64
	compare := f.judge.compare
	f.judge.compare = func(hash, password []byte) error {
		n.Add(1)
		time.Sleep(time.Second)
		return compare(hash, password)
	}
	return &n
}

// outcomes verifies each pair at the same time and counts what came of it.
func outcomes(f *File, pairs [][2]string) map[string]int {
	var mu sync.Mutex
	var all sync.WaitGroup
	count := make(map[string]int)
	for _, pair := range pairs {
		all.Go(func() {
			right, err := f.Verify(context.Background(), pair[0], pair[1])
			mu.Lock()
			defer mu.Unlock()
			count[fmt.Sprint(right, " ", err)]++
		})
	}
	all.Wait()
	return count
}

// repeated is n times the same pair.
func repeated(n int, user, password string) [][2]string {
	pairs := make([][2]string, n)
	for i := range pairs {
		pairs[i] = [2]string{user, password}
	}
	return pairs
}

func TestOnePairIsComparedOnce(t *testing.T) {
	tests := []struct {
		name, user, password, want string
	}{
		{"right", "user", "right", "true <nil>"},
		{"wrong", "user", "wrong", "false <nil>"},
		{"an unknown user", "nobody", "right", "false <nil>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := open(t, hashed(t, "user", "right"))
				comparisons := counted(f)
				if diff := cmp.Diff(map[string]int{tt.want: 100}, outcomes(f, repeated(100, tt.user, tt.password))); diff != "" {
					t.Errorf("outcomes (-want +got):\n%s", diff)
				}
				if n := comparisons.Load(); n != 1 {
					t.Errorf("%d comparisons of one pair, want one", n)
				}
			})
		})
	}
}

func TestWhoWaitedIsKnownMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, hashed(t, "user", "right"))
		comparisons := counted(f)
		for range cap(f.judge.slots) {
			f.judge.slots <- struct{}{}
		}
		done := make(chan bool)
		go func() { done <- verify(t, f, "user", "right") }()
		synctest.Wait()
		shown := f.key.of("user", "right")
		f.current.Load().users["user"].known.Store(&shown)
		<-f.judge.slots
		if !<-done || comparisons.Load() != 0 {
			t.Errorf("%d comparisons of a pair that is known by then, want none and that it is right", comparisons.Load())
		}
	})
}

// TestTheQueueIsBounded floods it with wrong pairs. Who is known gets in, and who
// is not may try again.
func TestTheQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, hashed(t, "known", "right"), hashed(t, "new", "right"))
		if !verify(t, f, "known", "right") {
			t.Fatal("Verify = false, want true")
		}
		comparisons := counted(f)
		var flood [][2]string
		for i := range 10 * maxPending {
			flood = append(flood, [2]string{"known", fmt.Sprint("guess ", i)})
		}
		done := make(chan map[string]int)
		go func() { done <- outcomes(f, flood) }()
		synctest.Wait()
		if !verify(t, f, "known", "right") {
			t.Error("who is known is not let in during a flood")
		}
		if right, err := f.Verify(t.Context(), "new", "right"); right || err != ErrBusy {
			t.Errorf("Verify of somebody new during a flood = %v, %v; want %v", right, err, ErrBusy)
		}
		want := map[string]int{"false <nil>": maxPending, "false " + ErrBusy.Error(): 9 * maxPending}
		if diff := cmp.Diff(want, <-done); diff != "" {
			t.Errorf("outcomes of the flood (-want +got):\n%s", diff)
		}
		if n := comparisons.Load(); n != maxPending {
			t.Errorf("%d comparisons, want %d", n, maxPending)
		}
		if !verify(t, f, "new", "right") {
			t.Error("who was refused is not let in after the flood")
		}
	})
}

// TestWhoLeavesTakesNobodyAlong: the first of those who wait for one comparison
// was to see to it.
func TestWhoLeavesTakesNobodyAlong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, hashed(t, "user", "right"))
		for range cap(f.judge.slots) {
			f.judge.slots <- struct{}{}
		}
		ctx, leave := context.WithCancel(t.Context())
		first, second := make(chan error), make(chan bool)
		go func() { _, err := f.Verify(ctx, "user", "right"); first <- err }()
		synctest.Wait()
		go func() { second <- verify(t, f, "user", "right") }()
		synctest.Wait()
		leave()
		if err := <-first; err != context.Canceled {
			t.Errorf("Verify of who left: %v, want %v", err, context.Canceled)
		}
		<-f.judge.slots
		if !<-second {
			t.Error("Verify of who stayed = false, want true")
		}
	})
}
