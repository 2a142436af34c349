package program

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Memory is the resident set of the program in bytes: now, and at most since its
// start (VmRSS and VmHWM of proc(5)).
type Memory struct {
	Now, Peak int64
}

// Memory asks the kernel.
func (p *Program) Memory() (Memory, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return Memory{}, fmt.Errorf("read memory: %w", err)
	}
	var m Memory
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		into := map[string]*int64{"VmRSS": &m.Now, "VmHWM": &m.Peak}[name]
		if into == nil {
			continue
		}
		kilobytes, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		if err != nil {
			return Memory{}, fmt.Errorf("read memory: %w", err)
		}
		*into = kilobytes << 10
	}
	if m.Now == 0 || m.Peak == 0 {
		return Memory{}, fmt.Errorf("read memory: the program has ended")
	}
	return m, nil
}

// tick is the unit of processor times in proc(5) on every Linux that Go runs on.
const tick = 10 * time.Millisecond

// ProcessorTime is what the program has used since its start, in user and kernel
// mode, to 10 milliseconds.
func (p *Program) ProcessorTime() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
	if err != nil {
		return 0, fmt.Errorf("read processor time: %w", err)
	}
	// The second field is the name in parentheses and may hold anything; user and
	// kernel time are the 14th and 15th.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const user, kernel = 14 - 3, 15 - 3
	if len(fields) <= kernel {
		return 0, fmt.Errorf("read processor time: %d fields", len(fields))
	}
	var ticks int64
	for _, field := range fields[user : kernel+1] {
		n, err := strconv.ParseInt(string(field), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("read processor time: %w", err)
		}
		ticks += n
	}
	return time.Duration(ticks) * tick, nil
}
