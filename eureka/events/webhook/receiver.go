package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/internal/buildinfo"
	"github.com/eurekube/eurekube/internal/pause"
)

// How long to wait before the next attempt: twice as long each time, with a
// quarter of it left to chance.
const (
	firstBackoff   = time.Second
	longestBackoff = time.Minute
)

// maxAge is how old a change may become while its receiver is away. Whoever was
// away for longer reads the list.
const maxAge = time.Hour

// receiver is one webhook: it is told one change at a time, in order.
type receiver struct {
	sender *Sender
	url    atomic.Pointer[url.URL] // credentials may change
	name   string                  // in metrics and the log; the rest of a URL may be a secret
	queue  *queue
	// The latest attempt failed, and was refused.
	failing, refusing bool
	stop              context.CancelFunc // ends run
	ended             chan struct{}      // closed when run is over
}

func (s *Sender) newReceiver(u *url.URL) *receiver {
	r := &receiver{sender: s, name: u.Host, queue: newQueue(s.metrics, u.Host), ended: make(chan struct{})}
	r.url.Store(u)
	return r
}

func (r *receiver) run(ctx context.Context) {
	defer close(r.ended)
	for {
		e, ok := r.queue.oldest(ctx)
		if !ok {
			return
		}
		r.deliver(ctx, e)
		if ctx.Err() != nil {
			return
		}
		r.queue.done(e)
	}
}

// deliver tries until the event is taken, refused or too old, or ctx ended.
func (r *receiver) deliver(ctx context.Context, e event) {
	body := e.body()
	for wait := firstBackoff; ; wait = min(2*wait, longestBackoff) {
		if time.Since(e.change.At) > maxAge {
			r.drop(droppedOld)
			return
		}
		err := r.post(ctx, body)
		refusal, refused := errors.AsType[*refusedError](err)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			r.count(deliveredResult)
			r.note(ctx, nil)
			return
		case refused:
			r.count(refusedResult)
			r.drop(droppedRefused)
			r.note(ctx, refusal)
			return
		}
		r.count(failedResult)
		r.note(ctx, err)
		if !pause.For(ctx, wait+rand.N(wait/4)) {
			return
		}
	}
}

func (r *receiver) count(result string) {
	r.sender.metrics.attempts.WithLabelValues(r.name, result).Inc()
}

func (r *receiver) drop(reason string) {
	r.sender.metrics.dropped.WithLabelValues(r.name, reason).Inc()
}

// note says when a webhook begins to fail and when it is well again.
func (r *receiver) note(ctx context.Context, err error) {
	_, refused := errors.AsType[*refusedError](err)
	switch {
	case refused && (!r.failing || !r.refusing):
		klog.FromContext(ctx).Error(err, "Webhook refuses changes, which it is not told again", "host", r.name)
	case err != nil && !r.failing:
		klog.FromContext(ctx).Error(err, "Webhook does not take changes, they wait", "host", r.name)
	case err == nil && r.failing:
		klog.FromContext(ctx).Info("Webhook takes changes again", "host", r.name)
	}
	r.failing, r.refusing = err != nil, refused
}

// refusedError says that the receiver does not want this event, now or later.
type refusedError struct{ status int }

func (e *refusedError) Error() string { return fmt.Sprintf("it refused with status %d", e.status) }

// maxAnswer is how much of an answer is read, so that the connection can be used
// again.
const maxAnswer = 4 << 10

var errTimeout = fmt.Errorf("no answer within %v", attemptTimeout)

// post makes one attempt. It uses the transport without an http.Client, which would
// follow redirects, and takes one that it cannot follow for a failure: what answers
// elsewhere is not whom the operator named.
func (r *receiver) post(ctx context.Context, body []byte) error {
	ctx, cancel := context.WithTimeoutCause(ctx, attemptTimeout, errTimeout)
	defer cancel()
	to := r.url.Load()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), bytes.NewReader(body))
	if err != nil {
		return withoutURL(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "eurekube/"+buildinfo.Read().Version)
	if password, _ := to.User.Password(); to.User != nil {
		request.SetBasicAuth(to.User.Username(), password)
	}
	if secret := r.sender.secret(); len(secret) > 0 {
		request.Header.Set(SignatureHeader, Sign(secret, time.Now(), body))
	}
	response, err := r.sender.transport.RoundTrip(request)
	if err != nil {
		if errors.Is(context.Cause(ctx), errTimeout) {
			return errTimeout
		}
		return err
	}
	defer response.Body.Close()
	_, _ = io.CopyN(io.Discard, response.Body, maxAnswer) // nothing in it matters
	switch code := response.StatusCode; {
	case code >= 200 && code < 300:
		return nil
	case code == http.StatusRequestTimeout, code == http.StatusTooEarly, code == http.StatusTooManyRequests, code >= 500:
		return fmt.Errorf("it answered with status %d", code)
	default:
		return &refusedError{code}
	}
}

func (s *Sender) secret() []byte {
	if s.config.Secret == nil {
		return nil
	}
	return s.config.Secret()
}

// withoutURL is err without the URL that net/url puts before it, which may hold a
// secret.
func withoutURL(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}
