package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// lease is a registration while it runs. It is for one goroutine.
type lease struct {
	*Registration
	interval time.Duration
	retry    backoff
	tried    bool  // a registration was sent
	holds    bool  // the last exchange was well
	known    int64 // the LastDirtyTimestamp that a server has, 0 for none
}

// keep registers or renews, whichever is due, and says when to come again.
func (l *lease) keep(ctx context.Context) time.Duration {
	err := l.exchange(ctx)
	if err == nil {
		l.retry.reset()
		l.tell(ctx, nil)
		return early(l.interval)
	}
	if ctx.Err() != nil {
		return l.interval // Run ends before that
	}
	l.tell(ctx, err)
	return l.retry.next()
}

// tell logs that the registration was lost or gained.
func (l *lease) tell(ctx context.Context, err error) {
	inst := l.Instance()
	logger := klog.LoggerWithValues(klog.FromContext(ctx), "app", inst.App, "instanceID", inst.ID)
	switch {
	case err != nil && (l.holds || l.retry.failures == 0):
		logger.Error(err, "Could not keep the instance registered, trying again")
	case err == nil && !l.holds:
		logger.Info("Registered the instance")
	}
	l.holds = err == nil
}

// exchange registers what a server does not have yet, else it renews.
func (l *lease) exchange(ctx context.Context) error {
	inst := l.Instance()
	if l.known == inst.LastDirtyTimestamp {
		known, err := l.renew(ctx, inst)
		if known || err != nil {
			return err
		}
		klog.FromContext(ctx).V(2).Info("The server does not know the instance, registering again", "app", inst.App, "instanceID", inst.ID)
	}
	return l.register(ctx, inst)
}

// renew reports whether the server knows the instance, as it was described last: a
// 404 is the word for "register again" (field cases 25 and 27).
func (l *lease) renew(ctx context.Context, inst *eureka.Instance) (known bool, err error) {
	query := url.Values{"status": {string(inst.Status)}, "lastDirtyTimestamp": {strconv.FormatInt(inst.LastDirtyTimestamp, 10)}}
	a, err := l.servers.do(ctx, call{method: http.MethodPut, path: instancePath(inst.App, inst.ID), query: query}, func(status int) bool {
		return status == http.StatusOK || status == http.StatusNotFound
	})
	if err != nil {
		return false, err
	}
	return a.status == http.StatusOK, nil
}

// register sends the description. What is wrong with it is wrong on every server,
// so that the refusals of it do not make the client wander (protocol section 6.5).
func (l *lease) register(ctx context.Context, inst *eureka.Instance) error {
	l.tried = true
	c := call{method: http.MethodPost, path: "apps/" + url.PathEscape(inst.App), body: codec.JSON.AppendInstance(nil, inst)}
	a, err := l.servers.do(ctx, c, func(status int) bool {
		switch status {
		case http.StatusBadRequest, http.StatusForbidden, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType:
			return true
		}
		return status/100 == 2
	})
	if err != nil {
		return err
	}
	if a.status/100 != 2 {
		return a.unexpected()
	}
	l.known = inst.LastDirtyTimestamp
	return nil
}
