package devcluster

import (
	"fmt"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// restConfig returns the configuration of a client that shows token.
func (c *Cluster) restConfig(token string) *rest.Config {
	return &rest.Config{
		Host:        "https://" + c.apiserverAddress(),
		BearerToken: token,
		// The server signs for itself, so its certificate is its own authority.
		TLSClientConfig: rest.TLSClientConfig{CAFile: c.path("certificates/apiserver.crt")},
		QPS:             -1, // no client-side limit
	}
}

// writeKubeconfig writes a file for config. namespace is where objects belong that
// name none; empty is kubectl's default.
func writeKubeconfig(path string, config *rest.Config, namespace string) error {
	const name = "devcluster"
	kubeconfig := clientcmdapi.Config{
		Clusters: map[string]*clientcmdapi.Cluster{
			name: {Server: config.Host, CertificateAuthority: config.CAFile},
		},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{name: {Token: config.BearerToken}},
		Contexts:       map[string]*clientcmdapi.Context{name: {Cluster: name, AuthInfo: name, Namespace: namespace}},
		CurrentContext: name,
	}
	if err := clientcmd.WriteToFile(kubeconfig, path); err != nil {
		return fmt.Errorf("write the kubeconfig file: %w", err)
	}
	return nil
}
