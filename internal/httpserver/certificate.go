package httpserver

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"k8s.io/klog/v2"
)

// certificatePoll is how often the files are compared with what is served.
// Watching the directory would be faster and would miss the symbolic link swaps
// by which Kubernetes replaces a mounted Secret on some file systems.
const certificatePoll = 5 * time.Second

// keyPair is a certificate that follows its files. get may be called by many
// goroutines at once; load and watch by one.
type keyPair struct {
	certFile, keyFile string
	current           atomic.Pointer[tls.Certificate]
	cert, key         []byte // as last read, whether usable or not
}

// get has the form of tls.Config.GetCertificate.
func (k *keyPair) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return k.current.Load(), nil
}

// load reads both files. An unusable pair is an error and leaves the one that
// is served alone.
func (k *keyPair) load() error {
	cert, key, err := k.read()
	if err != nil {
		return err
	}
	return k.use(cert, key)
}

func (k *keyPair) read() (cert, key []byte, err error) {
	if cert, err = os.ReadFile(k.certFile); err != nil {
		return nil, nil, fmt.Errorf("read certificate: %w", err)
	}
	if key, err = os.ReadFile(k.keyFile); err != nil {
		return nil, nil, fmt.Errorf("read private key: %w", err)
	}
	return cert, key, nil
}

func (k *keyPair) use(cert, key []byte) error {
	k.cert, k.key = cert, key
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return fmt.Errorf("certificate %s with key %s: %w", k.certFile, k.keyFile, err)
	}
	k.current.Store(&pair)
	return nil
}

// watch follows the files until ctx ends. A pair that cannot be used is logged
// once: whoever renews it may write one file some time before the other, and the
// last good pair serves meanwhile.
func (k *keyPair) watch(ctx context.Context) {
	logger := klog.FromContext(ctx)
	ticker := time.NewTicker(certificatePoll)
	defer ticker.Stop()
	unreadable := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		cert, key, err := k.read()
		if err != nil {
			if !unreadable {
				logger.Error(err, "Certificate cannot be read, the last good one stays")
			}
			unreadable = true
			continue
		}
		unreadable = false
		if bytes.Equal(cert, k.cert) && bytes.Equal(key, k.key) {
			continue
		}
		if err := k.use(cert, key); err != nil {
			logger.Error(err, "Certificate cannot be used, the last good one stays")
			continue
		}
		logger.Info("Certificate replaced", "notAfter", k.current.Load().Leaf.NotAfter)
	}
}
