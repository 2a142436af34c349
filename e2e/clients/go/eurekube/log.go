package main

import (
	"fmt"
	"strings"

	"github.com/go-logr/logr"

	"github.com/eurekube/eurekube/e2e/clients/go/control"
)

// sink takes what the library logs, and writes it as cases read it.
type sink struct {
	values []any
}

func (sink) Init(logr.RuntimeInfo) {}

func (sink) Enabled(level int) bool { return level <= 2 }

func (s sink) Info(_ int, message string, values ...any) { s.log("INFO", message, values) }

func (s sink) Error(err error, message string, values ...any) {
	s.log("ERROR", message, append([]any{"err", err}, values...))
}

func (s sink) WithValues(values ...any) logr.LogSink {
	return sink{append(s.values[:len(s.values):len(s.values)], values...)}
}

func (s sink) WithName(string) logr.LogSink { return s }

func (s sink) log(level, message string, values []any) {
	var text strings.Builder
	text.WriteString(message)
	for i, value := range append(s.values[:len(s.values):len(s.values)], values...) {
		format := " %v="
		if i%2 == 1 {
			format = "%q"
		}
		fmt.Fprintf(&text, format, fmt.Sprint(value))
	}
	control.Log(level, text.String())
}
