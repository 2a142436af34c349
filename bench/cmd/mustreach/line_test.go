package main

import (
	"testing"
	"time"
)

func TestLine_SaysWhetherThePromiseIsReached(t *testing.T) {
	tests := []struct {
		name string
		line line
		want string
	}{
		{name: "duration below its limit", line: atMost("f", 99*time.Millisecond, 100*time.Millisecond), want: "f\t< 100ms\t99ms\treached"},
		{name: "duration at its limit", line: atMost("f", 100*time.Millisecond, 100*time.Millisecond), want: "f\t< 100ms\t100ms\tmissed"},
		{name: "ratio that may be no larger", line: ratioAtMost("f", 1.2, 1.1), want: "f\t<= 1.10\t1.20\tmissed"},
		{name: "ratio at its upper limit", line: ratioAtMost("f", 1.1, 1.1), want: "f\t<= 1.10\t1.10\treached"},
		{name: "ratio that may be no smaller", line: ratioAtLeast("f", 0.89, 0.9), want: "f\t>= 0.90\t0.89\tmissed"},
		{name: "ratio at its lower limit", line: ratioAtLeast("f", 0.9, 0.9).noted("%d/s", 7), want: "f\t>= 0.90\t0.90 (7/s)\treached"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.line.String(); got != tt.want {
				t.Errorf("String() = %q, want %q", got, tt.want)
			}
		})
	}
}
