package httpserver

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"
)

// newKeyPair makes a certificate that is told apart by its serial number.
func newKeyPair(t *testing.T, serial int64) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), DNSNames: []string{"eurekube"}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8})
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// handshake returns the serial number of the certificate the server shows.
func handshake(t *testing.T, l *pipeListener, maxVersion uint16) (int64, error) {
	t.Helper()
	raw, err := l.dial(t.Context(), "", "")
	if err != nil {
		return 0, err
	}
	defer raw.Close()
	conn := tls.Client(raw, &tls.Config{InsecureSkipVerify: true, MaxVersion: maxVersion}) //nolint:gosec // which certificate comes is the question
	if err := conn.HandshakeContext(t.Context()); err != nil {
		return 0, err
	}
	return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64(), nil
}

// TestCertificate_FollowsItsFiles renews a certificate in the ways in which
// people and Secrets do, and looks 10 s later at what a client is shown.
func TestCertificate_FollowsItsFiles(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key")
	cert1, key1 := newKeyPair(t, 1)
	cert2, key2 := newKeyPair(t, 2)
	cert3, key3 := newKeyPair(t, 3)
	write(t, certFile, cert1)
	write(t, keyFile, key1)
	steps := []struct {
		name   string
		change func(*testing.T)
		serial int64
		errors int // logged since the start
	}{
		{name: "untouched", change: func(*testing.T) {}, serial: 1},
		{name: "both files replaced", change: func(t *testing.T) { write(t, certFile, cert2); write(t, keyFile, key2) }, serial: 2},
		{name: "certificate written before its key", change: func(t *testing.T) { write(t, certFile, cert3) }, serial: 2, errors: 1},
		{name: "the same mismatch ten seconds later", change: func(*testing.T) {}, serial: 2, errors: 1},
		{name: "key follows", change: func(t *testing.T) { write(t, keyFile, key3) }, serial: 3, errors: 1},
		{name: "no certificate at all", change: func(t *testing.T) { write(t, certFile, []byte("oops")) }, serial: 3, errors: 2},
		{name: "file removed", change: func(t *testing.T) { os.Remove(keyFile) }, serial: 3, errors: 3},
		{name: "still removed", change: func(*testing.T) {}, serial: 3, errors: 3},
		{name: "back to the first", change: func(t *testing.T) { write(t, certFile, cert1); write(t, keyFile, key1) }, serial: 1, errors: 3},
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, logs := recordLogs(t.Context())
		l, stop := runInBubble(t, ctx, Config{Name: "api", Handler: answerOK, TLSCertFile: certFile, TLSKeyFile: keyFile})
		for _, step := range steps {
			step.change(t)
			time.Sleep(10 * time.Second)
			synctest.Wait()
			if serial, err := handshake(t, l, 0); err != nil || serial != step.serial {
				t.Errorf("%s: the server shows certificate %d, %v, want %d", step.name, serial, err, step.serial)
			}
			if got := strings.Count(logs(), "the last good one stays"); got != step.errors {
				t.Errorf("%s: %d errors logged, want %d:\n%s", step.name, got, step.errors, logs())
			}
		}
		if serial, err := handshake(t, l, tls.VersionTLS11); err == nil {
			t.Errorf("TLS 1.1: the server shows certificate %d, want the handshake refused", serial)
		}
		if err := stop(); err != nil {
			t.Errorf("Run() = %v, want nil", err)
		}
	})
}

// recordLogs returns a context whose logger remembers, and how to read it.
func recordLogs(ctx context.Context) (context.Context, func() string) {
	logger := ktesting.NewLogger(ktesting.NopTL{}, ktesting.NewConfig(ktesting.BufferLogs(true), ktesting.Verbosity(2)))
	return klog.NewContext(ctx, logger), func() string {
		var text strings.Builder
		for _, entry := range logger.GetSink().(ktesting.Underlier).GetBuffer().Data() {
			text.WriteString(string(entry.Type) + " " + entry.Message + "\n")
		}
		return text.String()
	}
}
