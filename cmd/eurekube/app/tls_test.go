package app

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestServe_TLS(t *testing.T) {
	cert, key, roots := selfSigned(t)
	p := launch(t, "--manifests", manifests(t, pod("a", "10.0.0.5", "orders")), "--tls-cert="+cert, "--tls-key="+key)
	client := newClient(t)
	client.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: roots}
	secure := strings.Replace(p.clients, "http:", "https:", 1)
	if resp, body := p.do(client, http.MethodGet, secure+"/eureka/apps"); resp.StatusCode != http.StatusOK || !strings.Contains(body, "10.0.0.5:orders:8080") {
		t.Errorf("GET over TLS = %d with %s, want 200 with the pod", resp.StatusCode, body)
	}
	_, body := p.do(client, http.MethodGet, secure+"/eureka/status")
	for _, want := range []string{`<port enabled="false">`, `<securePort enabled="true">`} {
		if !strings.Contains(body, want) {
			t.Errorf("status says %s, want %s in it", body, want)
		}
	}
	// Probes come from the kubelet, which has no certificate of ours.
	if resp, _ := p.do(client, http.MethodGet, p.admin+"/readyz"); resp.StatusCode != http.StatusOK {
		t.Errorf("GET /readyz = %d over plain HTTP, want 200", resp.StatusCode)
	}
}

// selfSigned writes a certificate for the loopback address and its key.
func selfSigned(t *testing.T) (certFile, keyFile string, roots *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, kind string, der []byte) (path string, text []byte) {
		path, text = filepath.Join(dir, name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path, text
	}
	certFile, text := write("tls.crt", "CERTIFICATE", cert)
	keyFile, _ = write("tls.key", "PRIVATE KEY", private)
	roots = x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	return certFile, keyFile, roots
}
