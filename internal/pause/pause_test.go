package pause_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eurekube/eurekube/internal/pause"
)

func TestFor(t *testing.T) {
	tests := []struct {
		name       string
		d, timeout time.Duration // of the pause, and until its context ends
		want       bool
		took       time.Duration
	}{
		{name: "it is over", d: time.Hour, timeout: 2 * time.Hour, want: true, took: time.Hour},
		{name: "the context ends", d: 2 * time.Hour, timeout: time.Hour, took: time.Hour},
		{name: "the context has ended", d: time.Hour},
		{name: "there is none", timeout: time.Hour, want: true},
		{name: "it was over before", d: -time.Hour, timeout: time.Hour, want: true},
		{name: "there is none and the context has ended"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), tt.timeout)
				defer cancel()
				began := time.Now()
				if got := pause.For(ctx, tt.d); got != tt.want || time.Since(began) != tt.took {
					t.Errorf("For(%v) = %v after %v, want %v after %v", tt.d, got, time.Since(began), tt.want, tt.took)
				}
			})
		})
	}
}
