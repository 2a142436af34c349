package process

import (
	"bytes"
	"fmt"
	"os"
)

// LogTail returns the last lines of the child's output for an error message. It
// returns at most n lines and says so in place of a log that cannot be read.
func (p *Process) LogTail(n int) string {
	content, err := os.ReadFile(p.logPath)
	if err != nil {
		return fmt.Sprintf("(the log of %s cannot be read: %v)", p.name, err)
	}
	lines := bytes.Split(bytes.TrimRight(content, "\n"), []byte("\n"))
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return string(bytes.Join(lines, []byte("\n")))
}
