package process

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// ResidentMemory returns the child's resident set and the largest it ever was,
// in bytes, as the kernel counts them (VmRSS and VmHWM of proc(5)).
func (p *Process) ResidentMemory() (now, peak int64, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.PID()))
	if err != nil {
		return 0, 0, fmt.Errorf("read the memory of %s: %w", p.name, err)
	}
	values := map[string]int64{}
	lines := bufio.NewScanner(bytes.NewReader(status))
	for lines.Scan() {
		key, value, _ := strings.Cut(lines.Text(), ":")
		if key != "VmRSS" && key != "VmHWM" {
			continue
		}
		kilobytes, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		if err != nil {
			return 0, 0, fmt.Errorf("read the memory of %s: %w", p.name, err)
		}
		values[key] = kilobytes * 1024
	}
	if len(values) != 2 {
		return 0, 0, fmt.Errorf("read the memory of %s: it has ended", p.name)
	}
	return values["VmRSS"], values["VmHWM"], nil
}
