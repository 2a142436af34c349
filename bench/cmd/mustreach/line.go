package main

import (
	"fmt"
	"time"
)

// line is one promise in the table.
type line struct {
	figure, wanted, got string
	reached             bool
}

// String has the columns of the table.
func (l line) String() string {
	verdict := "missed"
	if l.reached {
		verdict = "reached"
	}
	return row(l.figure, l.wanted, verdict, l.got)
}

// row has columns of fixed width, since each appears as soon as it is measured.
func row(figure, wanted, verdict, got string) string {
	return fmt.Sprintf("%-48s%-20s%-10s%s", figure, wanted, verdict, got)
}

// atMost promises a duration.
func atMost(figure string, got, limit time.Duration) line {
	return line{figure, "< " + limit.String(), rounded(got), got < limit}
}

// ratioAtMost and ratioAtLeast promise ratios.
func ratioAtMost(figure string, got, limit float64) line {
	return line{figure, fmt.Sprintf("<= %.2f", limit), fmt.Sprintf("%.2f", got), got <= limit}
}

func ratioAtLeast(figure string, got, limit float64) line {
	return line{figure, fmt.Sprintf(">= %.2f", limit), fmt.Sprintf("%.2f", got), got >= limit}
}

// noted adds what helps to judge the figure.
func (l line) noted(format string, args ...any) line {
	l.got += " (" + fmt.Sprintf(format, args...) + ")"
	return l
}

// rounded is d to three digits or so.
func rounded(d time.Duration) string {
	switch {
	case d > time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d > time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(time.Microsecond).String()
}
