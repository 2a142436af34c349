package app

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka/events/webhook"
)

// addWebhooks adds the actor that tells webhooks, if there are any.
func (p *program) addWebhooks(o *Options, src source, metrics prometheus.Registerer) error {
	if !o.Webhook.on() {
		return nil
	}
	receivers, err := o.Webhook.receivers()
	if err != nil {
		return err
	}
	config := webhook.Config{
		URLs:       receivers,
		Snapshot:   p.publisher.Current,
		Started:    p.publisher.Started(),
		Registerer: metrics,
	}
	if o.Webhook.SecretFile != "" {
		if config.Secret, err = o.Webhook.secret(); err != nil {
			return err
		}
	}
	sender := webhook.NewSender(config)
	if src.client == nil {
		p.telling = func(ctx context.Context) error { return sender.Run(ctx, time.Time{}) }
		return nil
	}
	host, err := os.Hostname()
	if err != nil {
		return fmt.Errorf("name this server in the Lease: %w", err)
	}
	election := &election{client: src.client, lease: src.webhookLease, identity: host, ready: p.publisher.Started(), lead: sender.Run}
	p.telling = election.run
	return nil
}

// secret returns the key as it is in the file whenever it is asked. While the file
// cannot be read the key before is used.
func (w *Webhook) secret() (func() []byte, error) {
	last, err := w.readSecret()
	if err != nil {
		return nil, fmt.Errorf("--webhook-secret-file=%s: %w", w.SecretFile, err)
	}
	var keys secrets
	keys.last.Store(&last)
	return func() []byte {
		now, err := w.readSecret()
		if err != nil {
			keys.fail(err)
			return *keys.last.Load()
		}
		keys.last.Store(&now)
		keys.failing.Store(false)
		return now
	}, nil
}

// secrets is the key of signatures as it was read last.
type secrets struct {
	last    atomic.Pointer[[]byte]
	failing atomic.Bool
}

// fail says once that the file cannot be read.
func (s *secrets) fail(err error) {
	if !s.failing.Swap(true) {
		klog.Background().Error(err, "The key of webhooks cannot be read, the one before is used")
	}
}
