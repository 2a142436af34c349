package webhook

import (
	"encoding/json"
	"time"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

// Event is what a webhook is told: the body of one POST, in JSON.
type Event struct {
	// ID names the change on the server that tells it, and stays the same when it
	// is told again. Another server gives the same change another id.
	ID string `json:"id"`
	// Sequence counts the changes of the server since its start, without gaps.
	Sequence int64 `json:"sequence"`
	// Time is when clients could see the change.
	Time time.Time `json:"time"`
	// Event is up, down or modified, as in the stream.
	Event snapshot.Kind `json:"event"`
	// Cause is why, such as "ready", "terminating" or "expired".
	Cause registry.Cause `json:"cause"`
	// App and InstanceID are what the instance is listed by.
	App        string `json:"app"`
	InstanceID string `json:"instanceId"`
	// Status is the one that it has now, or had last if it left the list.
	Status eureka.Status `json:"status"`
	// Instance is the instance as GET apps/{app}/{id} answers it, with the
	// actionType of the delta: DELETED if it left the list.
	Instance json.RawMessage `json:"instance"`
}

// body is the JSON of an event, in one line.
func (e event) body() []byte {
	c := e.change
	var document struct {
		Instance json.RawMessage `json:"instance"`
	}
	place := snapshot.Token{Epoch: e.token.Epoch, Sequence: c.Sequence}
	told := Event{
		ID: place.String(), Sequence: c.Sequence, Time: c.At.UTC(), Event: c.Kind, Cause: c.Cause,
		App: c.Instance.App, InstanceID: c.Instance.ID, Status: c.Instance.Status,
	}
	if err := json.Unmarshal(c.Document(), &document); err == nil {
		told.Instance = document.Instance
	}
	body, err := json.Marshal(told)
	if err != nil {
		panic(err) // our own words, and a document that was read just now
	}
	return body
}
