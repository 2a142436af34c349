package control

import (
	"fmt"
	"os"
	"time"
)

// Log writes one entry as cases read it: the level, one of DEBUG, INFO, WARN, ERROR
// and FATAL, comes first. It may be called concurrently.
func Log(level, text string) {
	fmt.Fprintf(os.Stdout, "%s %s %s\n", level, time.Now().Format("15:04:05.000"), text)
}
