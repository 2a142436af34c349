package lease

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
)

// fleet registers n instances, i0 and on, of leases of 3 and 10 seconds.
func (r *rig) fleet(n int) {
	for i := range n {
		r.register(registration("A", fmt.Sprint("i", i), lasting(3, 10)))
	}
}

// beat lets seconds pass while the instances from number first up to n renew.
func (r *rig) beat(first, n, seconds int) {
	for range seconds {
		r.wait(1)
		for i := first; i < n; i++ {
			r.well(r.Renew("A", fmt.Sprint("i", i), Renewal{}))
		}
	}
}

// present is how many instances are listed.
func (r *rig) present() int {
	r.drain()
	return len(r.listed)
}

func TestSelfPreservation(t *testing.T) {
	tests := []struct {
		name       string
		threshold  float64
		all, crash int
		active     bool
	}{
		{name: "one of one", threshold: 0.85, all: 1, crash: 1},
		{name: "two of two", threshold: 0.85, all: 2, crash: 2},
		{name: "three of three", threshold: 0.85, all: 3, crash: 3, active: true},
		{name: "two of ten are more than the share, but few", threshold: 0.85, all: 10, crash: 2},
		{name: "three of ten", threshold: 0.85, all: 10, crash: 3, active: true},
		{name: "three of twenty are the share, not more", threshold: 0.85, all: 20, crash: 3},
		{name: "four of twenty", threshold: 0.85, all: 20, crash: 4, active: true},
		{name: "six of forty", threshold: 0.85, all: 40, crash: 6},
		{name: "seven of forty", threshold: 0.85, all: 40, crash: 7, active: true},
		{name: "eleven of 25 are the share, though 0.56 times 25 is a little over 14", threshold: 0.56, all: 25, crash: 11},
		{name: "all, switched off", threshold: 0, all: 10, crash: 10},
		{name: "none", threshold: 0.85, all: 10, crash: 0},
		{name: "three of ten at a threshold of all", threshold: 1, all: 10, crash: 3, active: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run(t, Config{Threshold: tt.threshold, Ceiling: time.Hour}, func(r *rig) {
				r.fleet(tt.all)
				r.beat(tt.crash, tt.all, 10)
				want := tt.all - tt.crash
				if tt.active {
					want = tt.all
				}
				if got := r.present(); got != want {
					t.Errorf("%d of %d are listed after %d crashed, want %d", got, tt.all, tt.crash, want)
				}
				if got := r.Stats().SelfPreservation; got != tt.active {
					t.Errorf("self-preservation is %v, want %v", got, tt.active)
				}
			})
		})
	}
}

func TestSelfPreservationEndsWhenFewerAreOverdue(t *testing.T) {
	run(t, Config{Threshold: 0.85, Ceiling: time.Hour}, func(r *rig) {
		r.fleet(20)
		r.beat(10, 20, 60)
		if got := r.present(); got != 20 {
			t.Fatalf("%d are listed in the outage, want 20", got)
		}
		r.beat(4, 20, 2)
		if got := r.present(); got != 20 || !r.Stats().SelfPreservation {
			t.Fatalf("%d are listed while four of twenty are overdue, want 20", got)
		}
		r.beat(3, 20, 2)
		if got := r.present(); got != 17 || r.Stats().SelfPreservation {
			t.Errorf("%d are listed when the rest is back, want 17", got)
		}
		r.wantTransitions("began", "ended")
	})
}

// wantTransitions checks that each change was told once.
func (r *rig) wantTransitions(want ...string) {
	r.t.Helper()
	var got []string
	for _, line := range r.lines("Self-preservation") {
		var what string
		fmt.Sscanf(line, "Self-preservation %s", &what)
		got = append(got, what[:len("began")])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		r.t.Errorf("changes told (-want +got):\n%s", diff)
	}
}

func TestSelfPreservationEndsAtItsCeiling(t *testing.T) {
	run(t, Config{Threshold: 0.85, Ceiling: time.Minute}, func(r *rig) {
		r.fleet(20)
		r.wait(10 + 59)
		if got := r.present(); got != 20 {
			t.Fatalf("%d are listed before the ceiling, want 20", got)
		}
		r.wait(1)
		if got := r.present(); got != 0 {
			t.Errorf("%d are listed after the ceiling, want none", got)
		}
		r.fleet(3)
		r.wait(10)
		if got := r.present(); got != 3 {
			t.Errorf("%d are listed in the next outage, want 3", got)
		}
		r.wantTransitions("began", "ended", "began")
	})
}

// TestSelfPreservationSeesAnOutageThatComesByAndBy: heartbeats are spread over
// their interval, and so are the leases that an outage makes overdue.
func TestSelfPreservationSeesAnOutageThatComesByAndBy(t *testing.T) {
	run(t, Config{Threshold: 0.85, Ceiling: time.Hour}, func(r *rig) {
		for i := range 90 {
			r.register(registration("A", fmt.Sprint("i", i), lasting(30, 90)))
			time.Sleep(time.Second / 3)
		}
		r.wait(300)
		if got := r.present(); got < 90*85/100-1 {
			t.Errorf("%d of 90 are listed in an outage, want about the threshold's share", got)
		}
		r.wantTransitions("began")
	})
}

// TestSingleCrashesExpireOneAfterTheOther: they are no outage.
func TestSingleCrashesExpireOneAfterTheOther(t *testing.T) {
	run(t, Config{Threshold: 0.85, Ceiling: time.Hour}, func(r *rig) {
		r.fleet(10)
		for crashed := 1; crashed <= 10; crashed++ {
			r.beat(crashed, 10, 10)
			if got, want := r.present(), 10-crashed; got != want {
				t.Fatalf("%d are listed after crash %d, want %d", got, crashed, want)
			}
		}
		r.wantTransitions()
	})
}

// TestAThirdCrashIsKeptUntilTheFirstIsForgotten is the price of remembering: of three
// crashes within an interval of 3 seconds the third expires later, by less than
// that interval.
func TestAThirdCrashIsKeptUntilTheFirstIsForgotten(t *testing.T) {
	run(t, Config{Threshold: 0.85, Ceiling: time.Hour}, func(r *rig) {
		r.fleet(10)
		r.beat(1, 10, 1)
		r.beat(2, 10, 1)
		for i, want := range []int{10, 10, 10, 10, 10, 10, 10, 9, 8, 8, 7} {
			r.beat(3, 10, 1)
			if got := r.present(); got != want {
				t.Errorf("%d are listed in second %d, want %d", got, 3+i, want)
			}
		}
		r.wantTransitions("began", "ended")
	})
}

func TestSelfPreservationNeverCountsPods(t *testing.T) {
	run(t, Config{Threshold: 0.85, Ceiling: time.Hour}, func(r *rig) {
		for n := range 40 {
			name, ip := fmt.Sprint("pod-", n), fmt.Sprint("10.1.0.", n)
			r.pod("WEB", name, ip, false)
			r.register(registration("WEB", name+":web:8080", at(name, ip, 8080), lasting(3, 10)))
		}
		r.fleet(10)
		r.beat(3, 10, 12) // 3 of 10, though 3 of 50 if pods counted, and 43 if they were overdue
		want := Stats{Leases: 10, Overdue: 3, SelfPreservation: true, ExpectedRenewalsPerMinute: 200, ActualRenewalsPerMinute: 77}
		if diff := cmp.Diff(want, r.Stats()); diff != "" {
			t.Errorf("stats (-want +got):\n%s", diff)
		}
		if got := r.present(); got != 50 {
			t.Errorf("%d are listed, want 50", got)
		}
	})
}

// TestExpiredLeasesOfAnOutageDoNotBeginAnother: a crash right after the ceiling is
// a crash.
func TestExpiredLeasesOfAnOutageDoNotBeginAnother(t *testing.T) {
	run(t, Config{Threshold: 0.85, Ceiling: time.Minute}, func(r *rig) {
		r.fleet(20)
		r.wait(61)
		r.register(registration("A", "late", lasting(3, 10)))
		r.wait(9)
		if got := r.present(); got != 1 {
			t.Fatalf("%d are listed after the ceiling, want the late one", got)
		}
		r.wait(1)
		if got := r.present(); got != 0 {
			t.Errorf("%d are listed after the late one crashed, want none", got)
		}
		r.wantTransitions("began", "ended")
	})
}

// TestNothingOverdueIsNoOutage, however many expired and left lately.
func TestNothingOverdueIsNoOutage(t *testing.T) {
	run(t, Config{Threshold: 0.85, Ceiling: time.Minute}, func(r *rig) {
		r.fleet(20)
		r.beat(3, 20, 10)
		for i := 3; i < 18; i++ {
			r.well(r.Cancel("A", fmt.Sprint("i", i), false))
		}
		r.beat(18, 20, 1)
		if got := r.present(); got != 2 || r.Stats().SelfPreservation {
			t.Errorf("%d are listed and self-preservation is %v, want 2 and false", got, r.Stats().SelfPreservation)
		}
		r.wantTransitions()
	})
}

func TestMinute(t *testing.T) {
	samples := []struct {
		name        string
		second      int64
		total, want uint64
	}{
		{name: "the first", second: 0, total: 3, want: 3},
		{name: "the same second again", second: 0, total: 5, want: 5},
		{name: "the next", second: 1, total: 7, want: 7},
		{name: "seconds left out", second: 50, total: 10, want: 10},
		{name: "the end of the first minute", second: 60, total: 10, want: 5},
		{name: "that second again", second: 60, total: 11, want: 6},
		{name: "a second later", second: 61, total: 11, want: 4},
		{name: "before the next ones leave", second: 109, total: 11, want: 4},
		{name: "when they have left", second: 110, total: 11, want: 1},
		{name: "a pause", second: 1000, total: 11, want: 0},
		{name: "after the pause", second: 1001, total: 13, want: 2},
	}
	var m minute
	for _, s := range samples {
		if got := m.grown(s.second, s.total); got != s.want {
			t.Errorf("%s: grown(%d, %d) = %d, want %d", s.name, s.second, s.total, got, s.want)
		}
	}
}

func TestRenewalsPerMinute(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1", lasting(30, 90)))
		r.register(registration("A", "i2", lasting(20, 90)))
		r.register(registration("A", "i3", lasting(7, 90)))
		steps := []struct{ beats, wait, expected, actual int }{
			{beats: 0, wait: 1, expected: 14, actual: 0}, // 2 + 3 + 8.57
			{beats: 5, wait: 1, expected: 14, actual: 5},
			{beats: 7, wait: 30, expected: 14, actual: 12},
			{beats: 1, wait: 29, expected: 14, actual: 13},
			{beats: 0, wait: 1, expected: 14, actual: 8},
			{beats: 0, wait: 1, expected: 14, actual: 1},
			{beats: 0, wait: 90, expected: 0, actual: 0},
		}
		for i, step := range steps {
			for range step.beats {
				for _, id := range []string{"i1"} {
					r.well(r.Renew("A", id, Renewal{}))
				}
			}
			r.wait(step.wait)
			got := r.Stats()
			if got.ExpectedRenewalsPerMinute != step.expected || got.ActualRenewalsPerMinute != step.actual {
				t.Errorf("step %d: %d renewals of %d expected, want %d of %d", i, got.ActualRenewalsPerMinute, got.ExpectedRenewalsPerMinute, step.actual, step.expected)
			}
		}
	})
}

func TestRefusedHeartbeatsAreNoRenewals(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1", status(eureka.StatusUnknown)))
		r.wantErr(ErrNotFound, r.Renew("A", "i1", Renewal{}))
		r.wantErr(ErrNotFound, r.Renew("A", "nobody", Renewal{}))
		r.wait(1)
		if got := r.Stats().ActualRenewalsPerMinute; got != 0 {
			t.Errorf("%d renewals, want none", got)
		}
	})
}
