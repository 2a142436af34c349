package figure

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eurekube/eurekube/convertor"
)

// observer notes when pods were handed to the watch and when clients saw them.
type observer struct {
	delta, full reader

	mu       sync.Mutex    // guards all below
	versions []seenVersion // of the full list, oldest first
	lastFull []byte
	pods     map[string]*sighting
	err      error // of the first pod that does not convert
}

// sighting is the life of one pod that turned ready.
type sighting struct {
	sent    time.Time
	seen    time.Time // in the delta, zero before
	version int64     // of the delta in which it was seen first
}

// seenVersion is when a version of the full list had been read to its end.
type seenVersion struct {
	version int64
	at      time.Time
}

func newObserver(c *cluster) *observer {
	return &observer{
		delta: reader{client: newClient(1), url: c.API + "/eureka/apps/delta", accept: mediaJSON, ifNew: true},
		full:  reader{client: newClient(1), url: c.API + "/eureka/apps", accept: mediaJSON, gzip: true, ifNew: true},
		pods:  make(map[string]*sighting),
	}
}

// sent notes that pod is about to be handed to the watch.
func (o *observer) sent(pod *corev1.Pod) {
	inst, _, err := convertor.Convert(pod, rules)
	o.mu.Lock()
	defer o.mu.Unlock()
	if err != nil {
		o.err = fmt.Errorf("convert pod %s: %w", pod.Name, err)
		return
	}
	o.pods[inst.ID] = &sighting{sent: time.Now()}
}

// pollDelta reads the delta until ctx ends.
func (o *observer) pollDelta(ctx context.Context) error {
	return poll(ctx, &o.delta, func(body []byte, at time.Time) error {
		version, err := versionOf(body, false)
		if err != nil {
			return err
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		eachID(body, func(id []byte) {
			if s := o.pods[string(id)]; s != nil && s.seen.IsZero() {
				s.seen, s.version = at, version
			}
		})
		return nil
	})
}

// pollFull reads the full list until ctx ends. It inflates no more than the
// version: ten megabytes, fifty times a second, would leave no core for the
// program.
func (o *observer) pollFull(ctx context.Context) error {
	return poll(ctx, &o.full, func(body []byte, at time.Time) error {
		version, err := versionOf(body, true)
		o.mu.Lock()
		defer o.mu.Unlock()
		o.versions = append(o.versions, seenVersion{version, at})
		o.lastFull = append(o.lastFull[:0], body...)
		return err
	})
}

// poll hands each new answer to got.
func poll(ctx context.Context, r *reader, got func(body []byte, at time.Time) error) error {
	for {
		body, err := r.read(ctx)
		at := time.Now()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		if body != nil {
			if err := got(body, at); err != nil {
				return err
			}
		}
		time.Sleep(pollPause)
	}
}

// complete reports whether both clients have seen every pod, as far as can be told
// without inflating the full list.
func (o *observer) complete() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.pods {
		if s.seen.IsZero() || len(o.versions) == 0 || o.versions[len(o.versions)-1].version < s.version {
			return false
		}
	}
	return true
}

// freshness sums up, after both polls have ended. The full list showed a pod, at
// the latest, in the version in which the delta did: both are one snapshot. The
// last list proves it, inflated as a whole.
func (o *observer) freshness() (Freshness, error) {
	if o.err != nil {
		return Freshness{}, o.err
	}
	listed, err := idsOf(o.lastFull)
	if err != nil {
		return Freshness{}, err
	}
	var delta, full []time.Duration
	for id, s := range o.pods {
		i, _ := slices.BinarySearchFunc(o.versions, s.version, func(v seenVersion, version int64) int { return int(v.version - version) })
		if s.seen.IsZero() || i == len(o.versions) || !listed[id] {
			return Freshness{}, fmt.Errorf("%s is ready and was not seen", id)
		}
		delta = append(delta, s.seen.Sub(s.sent))
		full = append(full, o.versions[i].at.Sub(s.sent))
	}
	return Freshness{Delta: latencyOf(delta), Full: latencyOf(full)}, nil
}

// idsOf are the ids in a gzip answer in JSON.
func idsOf(body []byte) (map[string]bool, error) {
	inflating, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(inflating)
	if err != nil {
		return nil, err
	}
	ids := make(map[string]bool)
	eachID(text, func(id []byte) { ids[string(id)] = true })
	return ids, nil
}
