package main

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/eurekube/eurekube/bench/figure"
)

var columnGap = regexp.MustCompile(`  +`)

func TestRegisteredIsReachedByEitherFigure(t *testing.T) {
	tests := []struct {
		name string
		got  figure.Throughput
		want bool
	}{
		{name: "neither", got: figure.Throughput{Rate: registerRate - 1, Ratio: registerRatio - 0.01}},
		{name: "the rate", got: figure.Throughput{Rate: registerRate, Ratio: registerRatio - 0.01}, want: true},
		{name: "the ratio", got: figure.Throughput{Rate: registerRate - 1, Ratio: registerRatio}, want: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := registered("f", tt.got); got.reached != tt.want {
				t.Errorf("registered(%+v) = %v, want reached: %v", tt.got, got, tt.want)
			}
		})
	}
}

func TestLine_SaysWhetherThePromiseIsReached(t *testing.T) {
	tests := []struct {
		name string
		line line
		want string
	}{
		{name: "duration below its limit", line: atMost("f", 99*time.Millisecond, 100*time.Millisecond), want: "< 100ms | reached | 99ms"},
		{name: "duration at its limit", line: atMost("f", 100*time.Millisecond, 100*time.Millisecond), want: "< 100ms | missed | 100ms"},
		{name: "ratio that may be no larger", line: ratioAtMost("f", 1.2, 1.1), want: "<= 1.10 | missed | 1.20"},
		{name: "ratio at its upper limit", line: ratioAtMost("f", 1.1, 1.1), want: "<= 1.10 | reached | 1.10"},
		{name: "ratio that may be no smaller", line: ratioAtLeast("f", 0.89, 0.9), want: ">= 0.90 | missed | 0.89"},
		{name: "ratio at its lower limit", line: ratioAtLeast("f", 0.9, 0.9).noted("%d/s", 7), want: ">= 0.90 | reached | 0.90 (7/s)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			columns := columnGap.Split(tt.line.String(), -1)
			if got := strings.Join(columns[1:], " | "); got != tt.want {
				t.Errorf("columns after the figure are %q, want %q", got, tt.want)
			}
		})
	}
}
