package reference

import (
	"bytes"
	"fmt"
	"os"
)

// Check compares the file with what the program says now. With update it
// rewrites the file instead. The error of a stale file names fix, the command
// that mends it.
func Check(path string, want []byte, update bool, fix string) error {
	if update {
		return os.WriteFile(path, want, 0o644)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%w; write it with: %s", err, fix)
	}
	if !bytes.Equal(got, want) {
		return fmt.Errorf("%s does not say what the program does now; mend it with: %s", path, fix)
	}
	return nil
}
