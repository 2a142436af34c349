package devcluster

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	_ "embed"
	"encoding/pem"
	"fmt"
	"os"
	"strings"

	nodestages "sigs.k8s.io/kwok/kustomize/stage/node/fast"
	podstages "sigs.k8s.io/kwok/kustomize/stage/pod/fast"
)

var (
	//go:embed stages/pod-delete.yaml
	podDeleteStage string

	//go:embed audit-policy.yaml
	auditPolicy string
)

// writeFiles makes what the parts read at their start.
func (c *Cluster) writeFiles() error {
	c.adminToken = rand.Text()
	key, err := newSigningKey()
	if err != nil {
		return err
	}
	stages := []string{
		nodestages.DefaultNodeInit, podstages.DefaultPodReady, podstages.DefaultPodComplete, podDeleteStage,
	}
	for name, content := range map[string]string{
		"tokens.csv":          fmt.Sprintf("%s,admin,admin,\"system:masters\"\n", c.adminToken),
		"service-account.pem": key,
		"audit-policy.yaml":   auditPolicy,
		"stages.yaml":         strings.Join(stages, "\n---\n"),
	} {
		if err := os.WriteFile(c.path(name), []byte(content), 0o600); err != nil {
			return fmt.Errorf("prepare the cluster: %w", err)
		}
	}
	return nil
}

// newSigningKey makes the key that signs tokens of service accounts.
func newSigningKey() (string, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return "", fmt.Errorf("make the key of service accounts: %w", err)
	}
	return string(pem.EncodeToMemory(&pem.Block{
		Type:  "RSA PRIVATE KEY",
		Bytes: x509.MarshalPKCS1PrivateKey(key),
	})), nil
}
