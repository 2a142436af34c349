package app

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka/events/webhook"
	"github.com/eurekube/eurekube/eureka/snapshot"
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
	p.webhooks = hosts(receivers)
	sender := webhook.NewSender(config)
	if o.Webhook.File != "" {
		p.telling = append(p.telling, func(ctx context.Context) error { return o.Webhook.follow(ctx, receivers, sender.Tell) })
	}
	if src.client == nil {
		p.telling = append(p.telling, func(ctx context.Context) error { return sender.Run(ctx, snapshot.Token{}) })
		return nil
	}
	host, err := os.Hostname()
	if err != nil {
		return fmt.Errorf("name this server in the Lease: %w", err)
	}
	election := &election{
		client: src.client, lease: src.webhookLease, identity: host, ready: p.publisher.Started(),
		place: func() snapshot.Token { return p.publisher.Current().Token() }, lead: sender.Run,
	}
	p.telling = append(p.telling, election.run)
	return nil
}

// webhookPoll is how often the file of URLs is compared with whom is told. It is read
// and not watched, because Kubernetes replaces a mounted Secret by swapping symbolic
// links.
const webhookPoll = 5 * time.Second

// follow tells of those who are to be told, at first told, as the file names others,
// until ctx ends. A file that cannot be used is logged once, as is its end, and
// changes nothing.
func (w *Webhook) follow(ctx context.Context, told []*url.URL, tell func([]*url.URL)) error {
	logger := klog.FromContext(ctx)
	ticker := time.NewTicker(webhookPoll)
	defer ticker.Stop()
	failure := ""
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		now, err := w.receivers()
		if err != nil {
			if err.Error() != failure {
				logger.Error(err, "The URLs of webhooks cannot be taken over, the last good ones stay")
			}
			failure = err.Error()
			continue
		}
		if failure != "" {
			logger.Info("The URLs of webhooks can be taken over again")
		}
		failure = ""
		if !slices.EqualFunc(now, told, func(a, b *url.URL) bool { return a.String() == b.String() }) {
			told = now
			tell(told)
			logger.Info("Webhooks replaced", "webhooks", hosts(told))
		}
	}
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
		keys.recover()
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

// recover says once that the file can be read again.
func (s *secrets) recover() {
	if s.failing.Swap(false) {
		klog.Background().Info("The key of webhooks can be read again")
	}
}
