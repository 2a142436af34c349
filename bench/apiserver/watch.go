package apiserver

import (
	"context"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// watch streams what happens to pods after the version asked for, behind all
// present pods when the client wants those first.
func (s *Server) watch(ctx context.Context, respond *response, options metav1.ListOptions, wanted func(*corev1.Pod) bool) {
	if options.TimeoutSeconds != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(*options.TimeoutSeconds)*time.Second)
		defer cancel()
	}
	version, err := strconv.Atoi(options.ResourceVersion)
	if err != nil {
		version = 0
	}
	send := respond.events()
	if options.SendInitialEvents != nil && *options.SendInitialEvents {
		version, err = s.sendPresent(send, wanted)
		if err != nil {
			return // the client is gone
		}
	}
	for {
		events, more := s.pods.since(version)
		version += len(events)
		for _, event := range events {
			if !wanted(event.Object.(*corev1.Pod)) {
				continue
			}
			if send(event) != nil {
				return
			}
		}
		if respond.flush() != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-more:
		}
	}
}

// sendPresent sends every present pod as added, and the bookmark that ends them.
func (s *Server) sendPresent(send func(watch.Event) error, wanted func(*corev1.Pod) bool) (version int, err error) {
	items, version := s.pods.list(wanted)
	for _, pod := range items {
		if err := send(watch.Event{Type: watch.Added, Object: pod}); err != nil {
			return 0, err
		}
	}
	end := &corev1.Pod{TypeMeta: podType, ObjectMeta: metav1.ObjectMeta{
		ResourceVersion: strconv.Itoa(version),
		Annotations:     map[string]string{metav1.InitialEventsAnnotationKey: "true"},
	}}
	return version, send(watch.Event{Type: watch.Bookmark, Object: end})
}
