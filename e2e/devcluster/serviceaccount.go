package devcluster

import (
	"context"
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ServiceAccountKubeconfig writes a kubeconfig file to path that acts as the
// service account name in namespace, which must exist, for an hour; objects
// without a namespace are of that one, as inside a pod. address is
// the host and port to connect to: empty for the API server itself, or that of
// a [Proxy]. What the account may do is up to the roles bound to it.
func (c *Cluster) ServiceAccountKubeconfig(ctx context.Context, namespace, name, address, path string) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	answer, err := client.CoreV1().ServiceAccounts(namespace).
		CreateToken(ctx, name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("get a token of service account %s/%s: %w", namespace, name, err)
	}
	config := c.restConfig(answer.Status.Token)
	if address != "" {
		config.Host = "https://" + address
	}
	return writeKubeconfig(path, config, namespace)
}

// ServiceAccountUser is the name under which the API server knows a service
// account, in the audit log for one.
func ServiceAccountUser(namespace, name string) string {
	return "system:serviceaccount:" + namespace + ":" + name
}
