package controller

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"
)

// What becomes of an Event, as the metric counts it. The set is closed.
const (
	resultCreated   = "created"
	resultExisting  = "existing"
	resultForbidden = "forbidden"
	resultFailed    = "failed"
	resultDropped   = "dropped"
)

var podEventResults = []string{resultCreated, resultExisting, resultForbidden, resultFailed, resultDropped}

const (
	podEventTries   = 4
	podEventTimeout = 10 * time.Second // of one try
)

// write creates the Event, with a few tries while the API server is not well.
func (p *podEvents) write(ctx context.Context, e podEvent) {
	if now := time.Now(); now.Before(p.failing) || now.Before(p.forbidden[e.pod.Namespace]) {
		p.leave(e)
		return
	}
	backoff := wait.Backoff{Duration: firstRetry, Factor: 2, Jitter: 0.2, Steps: podEventTries}
	for try := 1; ; try++ {
		if p.limiter.Wait(ctx) != nil {
			return
		}
		err := p.create(ctx, e)
		if ctx.Err() != nil {
			return
		}
		if !unwell(err) || try == podEventTries {
			p.settle(ctx, e, err)
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(backoff.Step()):
		}
	}
}

// unwell reports whether another try may succeed at once.
func unwell(err error) bool {
	return err != nil && (away(err) || apierrors.IsTooManyRequests(err))
}

func (p *podEvents) create(ctx context.Context, e podEvent) error {
	ctx, cancel := context.WithTimeout(ctx, podEventTimeout)
	defer cancel()
	_, err := p.client.Events(e.pod.Namespace).Create(ctx, e.object(p.host), metav1.CreateOptions{})
	return err
}

// settle counts what became of the Event in the end, and speaks when that
// changes for a namespace or for all of them.
func (p *podEvents) settle(ctx context.Context, e podEvent, err error) {
	logger := klog.LoggerWithValues(klog.FromContext(ctx), "namespace", e.pod.Namespace)
	switch {
	case err == nil, apierrors.IsAlreadyExists(err):
		result := resultCreated
		if err != nil {
			result = resultExisting // by a replica, or by this server before a restart
		}
		p.results.WithLabelValues(result).Inc()
		p.succeeded(logger, e.pod.Namespace)
	case apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause), apierrors.IsNotFound(err):
		p.results.WithLabelValues(resultFailed).Inc() // the namespace ends, and the pod with it
		logger.V(4).Info("Event was not written, its namespace ends", "pod", klog.KRef(e.pod.Namespace, e.pod.Name), "reason", e.reason)
	case apierrors.IsForbidden(err):
		p.results.WithLabelValues(resultForbidden).Inc()
		if p.forbidden[e.pod.Namespace].IsZero() {
			logger.Error(err, "API server forbade to write Events on pods of a namespace")
		}
		p.forbidden[e.pod.Namespace] = time.Now().Add(podEventsPause)
		p.remember(e)
	case unwell(err):
		p.results.WithLabelValues(resultFailed).Inc()
		if p.failing.IsZero() {
			logger.Info("API server could not take Events on pods", "err", err)
		}
		p.failing = time.Now().Add(podEventsPause)
		p.remember(e)
	default: // the Event itself was refused, and would be again
		p.results.WithLabelValues(resultFailed).Inc()
		logger.Error(err, "API server refused an Event", "pod", klog.KRef(e.pod.Namespace, e.pod.Name), "reason", e.reason)
	}
}

// succeeded ends the pauses that an Event in the namespace shows to be over.
func (p *podEvents) succeeded(logger klog.Logger, namespace string) {
	if !p.failing.IsZero() {
		logger.Info("API server took Events on pods again")
		p.failing = time.Time{}
	}
	if !p.forbidden[namespace].IsZero() {
		logger.Info("API server permitted to write Events on pods of a namespace again")
		delete(p.forbidden, namespace)
	}
}
