package controller

import (
	"context"
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

// The waits between attempts to reach the API server, spread by a fifth. A
// reflector's own waits grow to a minute, in which a server that is back or a
// Role that was granted would go unnoticed, and cannot be set on an informer.
const (
	firstRetry = 500 * time.Millisecond
	lastRetry  = 10 * time.Second
)

// persist makes a call until it succeeds, ctx is done, or it fails in a way
// that the reflector must answer by another call. It reports the outcome of
// every attempt, nil for success.
func persist[T any](ctx context.Context, report func(context.Context, error), call func() (T, error)) (T, error) {
	backoff := wait.Backoff{Duration: firstRetry, Factor: 2, Jitter: 0.2, Steps: 10, Cap: lastRetry}
	for {
		result, err := call()
		switch {
		case err == nil:
			report(ctx, nil)
			return result, nil
		case ctx.Err() != nil, !repeatable(err):
			var none T
			return none, err
		}
		report(ctx, err)
		select {
		case <-ctx.Done():
			var none T
			return none, ctx.Err()
		case <-time.After(backoff.Step()):
		}
	}
}

// repeatable reports whether the same call may succeed later. Others are an
// expired resource version, which needs a new list, and a request that the
// server does not know, such as a streamed list.
func repeatable(err error) bool {
	if apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge) {
		return false
	}
	status := apierrors.APIStatus(nil)
	if !errors.As(err, &status) {
		return true // no answer at all
	}
	const firstServerError = 500
	return apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) || apierrors.IsTooManyRequests(err) ||
		status.Status().Code >= firstServerError
}
