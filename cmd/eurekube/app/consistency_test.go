package app

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// TestEveryAnswerAgreesWithItself reads while pods come and go. Whatever moment
// an answer is of, its hash counts the instances in it, and a version that was
// seen before says the same as before.
func TestEveryAnswerAgreesWithItself(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.serve()
		var (
			readers sync.WaitGroup
			mu      sync.Mutex // guards seen
			seen    = map[int64]string{}
		)
		for range 4 {
			readers.Go(func() {
				for range 50 {
					time.Sleep(time.Duration(rand.IntN(500)) * time.Millisecond)
					body := ask(r.api, http.MethodGet, "/eureka/apps", asJSON).Body.String()
					var answer struct {
						Applications applications `json:"applications"`
					}
					if err := json.Unmarshal([]byte(body), &answer); err != nil {
						t.Errorf("%v in %s", err, body)
						return
					}
					if list := answer.Applications; list.count() != list.HashCode {
						t.Errorf("the hash is %s, want %s as the list counts", list.HashCode, list.count())
					}
					mu.Lock()
					if before, ok := seen[answer.Applications.VersionsDelta]; ok && before != body {
						t.Errorf("version %d has two contents", answer.Applications.VersionsDelta)
					}
					seen[answer.Applications.VersionsDelta] = body
					mu.Unlock()
				}
			})
		}
		for n := range 10 {
			var born []*corev1.Pod
			for i := range 5 {
				born = append(born, pod(fmt.Sprint("p", i), fmt.Sprint("10.0.0.", i), fmt.Sprint("s", n%3)))
			}
			r.create(born...)
			r.remove(born[n%2:]...)
			if n%2 == 1 {
				r.remove(born[0])
			}
		}
		readers.Wait()
		if len(seen) < 5 {
			t.Errorf("the readers met %d versions, want more: they read while nothing changed", len(seen))
		}
	})
}
