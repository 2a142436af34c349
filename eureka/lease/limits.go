package lease

import "fmt"

// TooLargeError refuses an update of metadata after which the instance would be
// longer than any registration can be: every client fetches it. On the wire it is
// a 413 with the reason.
type TooLargeError struct {
	// Limit is Config.MaxMetadata, in bytes.
	Limit int64
}

// Error is one sentence for whoever sent the update.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the metadata would be longer than %d bytes", e.Limit)
}

// checkSize returns a *TooLargeError if metadata, counted together, is longer
// than it may become.
func (c *Config) checkSize(metadata ...map[string]string) error {
	if c.MaxMetadata == 0 {
		return nil
	}
	var n int64
	for _, m := range metadata {
		for key, value := range m {
			n += int64(len(key) + len(value))
		}
	}
	if n > c.MaxMetadata {
		return &TooLargeError{c.MaxMetadata}
	}
	return nil
}
