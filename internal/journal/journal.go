// Package journal bounds the lines that a log has about things of one kind, so that
// each can have a line at verbosity 0 though strangers decide how many there are.
//
// It is for transitions that somebody asks for afterwards: who took it out? It is not
// for errors, which are rare or a fault, and not for counting, which metrics do.
package journal

import (
	"sync"
	"time"

	"k8s.io/klog/v2"
)

// The bound: Lines at verbosity 0 in one Window. The others are at verbosity 2.
const (
	Window = time.Minute
	Lines  = 100
)

// Journal is the lines of one kind. The zero value is ready, but for About; it may be
// used by many goroutines at once and must not be copied.
type Journal struct {
	// About is the kind, in the plural, for the line that says how many were left out.
	About string

	mu    sync.Mutex // guards all below
	began time.Time  // of the window
	lines int        // in it
	owed  int        // left out of earlier ones, and not told of yet
}

// Info logs as logger does, or at a verbosity higher by 2 when the window is full.
// What logger does not log at all takes no room.
func (j *Journal) Info(logger klog.Logger, message string, keysAndValues ...any) {
	if !logger.Enabled() {
		return
	}
	if !j.room() {
		logger = logger.V(2)
	}
	logger.WithCallDepth(1).Info(message, keysAndValues...)
}

// Flush says how many lines were left out in windows that are over, if any. Whoever
// owns the journal calls it every few seconds.
func (j *Journal) Flush(logger klog.Logger) {
	if left := j.leftOut(); left > 0 {
		logger.Info("Left lines out of the log, which has them at -v=2", "about", j.About, "leftOut", left, "within", Window)
	}
}

// room reports whether the window has room for a line, and takes it.
func (j *Journal) room() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.turn()
	j.lines++
	return j.lines <= Lines
}

// leftOut is how many lines earlier windows had no room for, each told once.
func (j *Journal) leftOut() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.turn()
	left := j.owed
	j.owed = 0
	return left
}

// turn begins a new window if the last one is over. The caller holds mu.
func (j *Journal) turn() {
	now := time.Now()
	if now.Sub(j.began) < Window {
		return
	}
	j.owed += max(0, j.lines-Lines)
	j.began, j.lines = now, 0
}
