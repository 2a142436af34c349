package app

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eurekube/eurekube/eureka/events/webhook"
)

// Webhook is what an operator decides about telling other programs of changes.
type Webhook struct {
	// URLs and the lines of File are whom to tell.
	URLs []string
	File string
	// SecretFile holds the key of the signatures, empty for none.
	SecretFile string
	// Lease is the Lease by which replicas agree on the one that tells, as name or
	// namespace/name.
	Lease string
}

func newWebhook() Webhook { return Webhook{Lease: "eurekube-webhook"} }

func (w *Webhook) addFlags(fs *pflag.FlagSet) {
	fs.Var((*list)(&w.URLs), "webhook", "`URLs` that get a POST for each instance that comes, goes or changes; write a comma in a URL as %2C")
	fs.StringVar(&w.File, "webhook-file", w.File, "`file` with one such URL on each line, for URLs that hold secrets; a change takes effect within 10 s")
	fs.StringVar(&w.SecretFile, "webhook-secret-file", w.SecretFile, "`file` with the key that signs each POST; a new key is used at once")
	fs.StringVar(&w.Lease, "webhook-lease", w.Lease, "`[namespace/]name` of the Lease by which replicas agree which of them tells webhooks; without an API server each one does")
}

// on reports whether anybody is to be told.
func (w *Webhook) on() bool { return len(w.URLs) > 0 || w.File != "" }

// receivers are whom to tell; the same twice, whatever the passwords are, is a mistake.
// The error names the flag and does not repeat the URL, which may hold a secret.
func (w *Webhook) receivers() ([]*url.URL, error) {
	var receivers []*url.URL
	for i, text := range w.URLs {
		u, err := webhook.ParseURL(text)
		if err != nil {
			return nil, fmt.Errorf("--webhook: URL %d of %d %w", i+1, len(w.URLs), err)
		}
		receivers = append(receivers, u)
	}
	if w.File != "" {
		content, err := os.ReadFile(w.File)
		if err != nil {
			return nil, fmt.Errorf("--webhook-file: %w", err)
		}
		urls, err := webhook.ParseURLs(string(content))
		if err != nil {
			return nil, fmt.Errorf("--webhook-file=%s: %w", w.File, err)
		}
		receivers = append(receivers, urls...)
	}
	for i, u := range receivers {
		if slices.ContainsFunc(receivers[:i], func(other *url.URL) bool { return other.Redacted() == u.Redacted() }) {
			return nil, fmt.Errorf("--webhook: a URL of host %s is there twice", u.Host)
		}
	}
	return receivers, nil
}

// hosts are those of URLs, which is what the log may say of them.
func hosts(urls []*url.URL) []string {
	var hosts []string
	for _, u := range urls {
		hosts = append(hosts, u.Host)
	}
	return hosts
}

// readSecret reads the key without the blanks around it.
func (w *Webhook) readSecret() ([]byte, error) {
	content, err := os.ReadFile(w.SecretFile)
	if err != nil {
		return nil, err
	}
	secret := bytes.TrimSpace(content)
	if len(secret) == 0 {
		return nil, errors.New("holds no key")
	}
	return secret, nil
}

func (o *Options) validateWebhook() error {
	w := &o.Webhook
	_, err := w.receivers()
	mistakes := []error{err}
	if w.SecretFile != "" {
		if _, err := w.readSecret(); err != nil {
			mistakes = append(mistakes, fmt.Errorf("%s: %w", o.typed("webhook-secret-file"), err))
		}
		if !w.on() {
			mistakes = append(mistakes, fmt.Errorf("%s needs --webhook or --webhook-file", o.typed("webhook-secret-file")))
		}
	}
	if _, err := namespacedName(w.Lease, "any"); err != nil {
		mistakes = append(mistakes, fmt.Errorf("%s: %w", o.typed("webhook-lease"), err))
	}
	return errors.Join(mistakes...)
}

// webhookLease is the Lease of this program, which has no name where there is no
// need to agree.
func (o *Options) webhookLease() (types.NamespacedName, error) {
	if !o.Webhook.on() {
		return types.NamespacedName{}, nil
	}
	return o.ownObject(o.Webhook.Lease)
}
