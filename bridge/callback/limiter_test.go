package callback

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestLimiter_BoundsAllAndEachHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(10, 4)
		var mu sync.Mutex
		now, most := map[string]int{}, map[string]int{}
		count := func(by int, names ...string) {
			mu.Lock()
			defer mu.Unlock()
			for _, name := range names {
				now[name] += by
				most[name] = max(most[name], now[name])
			}
		}
		var calls sync.WaitGroup
		for n := range 200 {
			host := "crowded"
			if n%2 == 0 {
				host = fmt.Sprint("host", n)
			}
			calls.Go(func() {
				release, err := l.acquire(t.Context(), host)
				if err != nil {
					t.Error(err)
					return
				}
				count(1, host, "all")
				time.Sleep(time.Second)
				count(-1, host, "all")
				release()
			})
		}
		calls.Wait()
		if most["all"] != 10 || most["crowded"] != 4 {
			t.Errorf("%d in all and %d to one host at once at most, want 10 and 4", most["all"], most["crowded"])
		}
		if len(l.hosts) != 0 {
			t.Errorf("%d hosts are remembered that nobody calls", len(l.hosts))
		}
	})
}

func TestLimiter_WaitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(2, 1)
		for _, host := range []string{"a", "b"} {
			if _, err := l.acquire(t.Context(), host); err != nil {
				t.Fatal(err)
			}
		}
		for _, host := range []string{"a", "c"} { // one waits for its host, the other for a slot
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if _, err := l.acquire(ctx, host); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("acquire of %s: %v, want the end of its context", host, err)
			}
			cancel()
		}
		if len(l.hosts) != 2 || len(l.all) != 2 {
			t.Errorf("%d hosts and %d slots are taken, want 2 and 2", len(l.hosts), len(l.all))
		}
	})
}
