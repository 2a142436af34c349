package devcluster

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

// Audit returns what the API server wrote down of the requests of user (see
// [ServiceAccountUser]) so far, oldest first. A watch is written when it starts
// and again when it ends. Requests of administrators are not in the log.
func (c *Cluster) Audit(user string) ([]auditv1.Event, error) {
	log, err := os.ReadFile(c.auditPath())
	if err != nil {
		return nil, fmt.Errorf("read the audit log: %w", err)
	}
	var events []auditv1.Event
	for line := range bytes.Lines(log) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break // the server is still writing it
		}
		var event auditv1.Event
		if err := json.Unmarshal(line, &event); err != nil {
			return nil, fmt.Errorf("read the audit log: %w", err)
		}
		if event.User.Username == user {
			events = append(events, event)
		}
	}
	return events, nil
}

func (c *Cluster) auditPath() string { return c.path("audit.jsonl") }
