package cases

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

// event is what a stream tells, and of which pod.
type event struct {
	name, id    string
	pod, action string
}

// follow opens a stream that goes on behind the event with the given id, from now
// on if it is empty. It is closed when the test ends.
func (p *program) follow(t *testing.T, query, last string) <-chan event {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.base+"/eureka/stream?"+query, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("GET stream = %d, want 200", answer.StatusCode)
	}
	events, ended := make(chan event), make(chan struct{})
	go func() {
		defer close(ended)
		defer close(events)
		readEvents(bufio.NewScanner(answer.Body), func(e event) {
			select {
			case events <- e:
			case <-t.Context().Done():
			}
		})
	}()
	t.Cleanup(func() {
		answer.Body.Close()
		<-ended
	})
	return events
}

// readEvents hands over one event after the other until the stream ends.
func readEvents(lines *bufio.Scanner, yield func(event)) {
	var e event
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "event":
			e.name = value
		case "id":
			e.id = value
		case "data":
			var document struct{ Instance instance }
			if json.Unmarshal([]byte(value), &document) == nil { // a ping has none
				e.pod, e.action = document.Instance.Metadata["pod"], document.Instance.ActionType
			}
		case "":
			yield(e)
			e = event{}
		}
	}
}

// expectEvent waits for the next event, pings left out.
func expectEvent(t *testing.T, events <-chan event, name, pod, action string) event {
	t.Helper()
	timeout := time.After(soon)
	for {
		select {
		case <-timeout:
			t.Fatalf("no event within %v, want %s of %s", soon, name, pod)
		case e, open := <-events:
			switch {
			case !open:
				t.Fatalf("the stream ended, want %s of %s", name, pod)
			case e.name == "ping":
				continue
			case e.name != name || e.pod != pod || e.action != action:
				t.Fatalf("event = %+v, want %s of %s, %s", e, name, pod, action)
			}
			return e
		}
	}
}

func TestStream_TellsOfAPodFromReadyToTerminating(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	address := newAddress()
	create(t, namespace, newPod("orders-1", "orders"), notReadyStatus(address))
	createReady(t, namespace, "cart-1", "cart")
	program := startIn(t, namespace)
	program.expectListed(t, soon, namespace, "cart-1")
	all, orders := program.follow(t, "", ""), program.follow(t, "app=orders", "")

	setStatus(t, namespace, "orders-1", readyStatus(address))
	up := expectEvent(t, all, "up", "orders-1", "ADDED")
	expectEvent(t, orders, "up", "orders-1", "ADDED")

	remove(t, namespace, "cart-1", longGrace)
	expectEvent(t, all, "down", "cart-1", "DELETED")
	remove(t, namespace, "orders-1", longGrace)
	expectEvent(t, all, "down", "orders-1", "DELETED")
	expectEvent(t, orders, "down", "orders-1", "DELETED")
	expectTerminatingAndReady(t, namespace, "orders-1")

	back := program.follow(t, "", up.id)
	expectEvent(t, back, "down", "cart-1", "DELETED")
	expectEvent(t, back, "down", "orders-1", "DELETED")
}
