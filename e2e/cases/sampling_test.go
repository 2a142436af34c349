package cases

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// life is when a watcher of the API server heard what became of a pod; a zero
// time is not yet.
type life struct{ ready, leaving time.Time }

// sample is one answer of the program: the pods that it listed.
type sample struct {
	asked, answered time.Time
	pods            []string
}

// observation watches a namespace and samples the program at the same time, all
// the time, so that the two can be compared afterwards.
type observation struct {
	lives   map[string]life
	samples []sample
	stop    func() error
}

// observe begins an observation of the pods that opt in. stop ends it and returns what went wrong with
// it; lives and samples may be read then.
func observe(t *testing.T, program *program, namespace string) *observation {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	watcher, err := pods(namespace).Watch(ctx, metav1.ListOptions{LabelSelector: "eurekube.io/service"})
	if err != nil {
		t.Fatal(err)
	}
	o := &observation{lives: map[string]life{}}
	var (
		both     sync.WaitGroup
		sampling error
	)
	both.Go(func() {
		defer watcher.Stop()
		for event := range watcher.ResultChan() {
			if pod, ok := event.Object.(*corev1.Pod); ok {
				o.hear(pod)
			}
		}
	})
	both.Go(func() { sampling = o.sample(ctx, program, namespace) })
	o.stop = func() error {
		cancel()
		both.Wait()
		return sampling
	}
	return o
}

func (o *observation) hear(pod *corev1.Pod) {
	now, known := time.Now(), o.lives[pod.Name]
	if known.ready.IsZero() && isReady(pod) {
		known.ready = now
	}
	if known.leaving.IsZero() && pod.DeletionTimestamp != nil {
		known.leaving = now
	}
	o.lives[pod.Name] = known
}

func (o *observation) sample(ctx context.Context, program *program, namespace string) error {
	for {
		asked := time.Now()
		answer, err := program.list(ctx, "apps")
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("sample the program: %w", err)
		}
		o.samples = append(o.samples, sample{asked: asked, answered: time.Now(), pods: answer.pods(namespace)})
	}
}

// shouldBeListed returns how long before sample the pod had become ready, or how
// long after it the pod began to leave when that is less: the program may hear
// of it before the watcher does. It is negative when the pod should be off.
func (l life) shouldBeListed(s sample) time.Duration {
	since := s.asked.Sub(l.ready)
	if l.leaving.IsZero() {
		return since
	}
	return min(since, l.leaving.Sub(s.answered))
}

// judge compares every sample with what the API server had said tolerance
// earlier, and as much earlier as the machine kept the program waiting at times,
// which shows in the slowest sample: pods on their way out must be off the list and
// ready ones on it. It returns the longest time for which each kind was wrong.
func (o *observation) judge(tolerance time.Duration) (leaving, missing time.Duration, err error) {
	var (
		errs    []error
		slowest time.Duration
	)
	for _, sample := range o.samples {
		slowest = max(slowest, sample.answered.Sub(sample.asked))
	}
	tolerance += slowest
	for _, sample := range o.samples {
		for name, life := range o.lives {
			listed := slices.Contains(sample.pods, name)
			switch {
			case listed && !life.leaving.IsZero():
				leaving = max(leaving, sample.asked.Sub(life.leaving))
			case !listed && !life.ready.IsZero():
				missing = max(missing, life.shouldBeListed(sample))
			case listed && life.ready.IsZero():
				errs = append(errs, fmt.Errorf("pod %s was listed and never ready", name))
			}
		}
	}
	if leaving > tolerance {
		errs = append(errs, fmt.Errorf("a terminating pod was still listed after %s", leaving))
	}
	if missing > tolerance {
		errs = append(errs, fmt.Errorf("a ready pod was not listed after %s", missing))
	}
	return leaving, missing, errors.Join(errs...)
}
