package devcluster

import (
	"fmt"
	"strings"
)

// The parts, as the binary's first argument names them.
const (
	etcdPart              = "etcd"
	apiserverPart         = "apiserver"
	controllerManagerPart = "controller-manager"
	schedulerPart         = "scheduler"
	kwokPart              = "kwok"
)

// controllers are those that a Deployment or a StatefulSet and the end of a
// namespace need. Those that judge nodes are left out: they would remove pods
// from nodes that no kubelet reports for.
var controllers = []string{
	"deployment-controller",
	"replicaset-controller",
	"statefulset-controller",
	"serviceaccount-controller",
	"namespace-controller",
	"endpointslice-controller",
	"garbage-collector-controller",
}

func (c *Cluster) partArgs(part string) []string {
	switch part {
	case etcdPart:
		return []string{
			"--data-dir=" + c.path("etcd"),
			"--client-url=" + c.etcdURL(),
			fmt.Sprintf("--peer-url=http://127.0.0.1:%d", c.ports.etcdPeer),
		}
	case apiserverPart:
		return c.apiserverArgs()
	case controllerManagerPart:
		return []string{
			"--kubeconfig=" + c.Kubeconfig(),
			"--controllers=" + strings.Join(controllers, ","),
			"--leader-elect=false",
			"--secure-port=0",
		}
	case schedulerPart:
		return []string{
			"--kubeconfig=" + c.Kubeconfig(),
			"--leader-elect=false",
			"--secure-port=0",
		}
	default:
		return []string{
			"--kubeconfig=" + c.Kubeconfig(),
			"--config=" + c.path("stages.yaml"),
			"--manage-all-nodes=false",
			"--manage-nodes-with-label-selector=" + fakeNodeLabel,
			"--cidr=10.244.0.0/16",
		}
	}
}

func (c *Cluster) apiserverArgs() []string {
	return []string{
		"--etcd-servers=" + c.etcdURL(),
		"--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", c.ports.apiserver),
		// A loopback address may not be published as an endpoint of the service
		// "kubernetes"; the server would wait for that and end.
		"--endpoint-reconciler-type=none",
		"--cert-dir=" + c.path("certificates"),
		"--service-cluster-ip-range=10.96.0.0/16",
		"--token-auth-file=" + c.path("tokens.csv"),
		"--authorization-mode=RBAC",
		"--service-account-issuer=https://devcluster.invalid",
		"--service-account-key-file=" + c.path("service-account.pem"),
		"--service-account-signing-key-file=" + c.path("service-account.pem"),
		// ServiceAccount refuses pods until a controller has given their namespace
		// an account, whose token no pod here ever reads. TaintNodesByCondition
		// taints new nodes, and the controller that would take the taint away
		// again judges nodes and does not run.
		"--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
		// Ten thousand pods go away in seconds instead of a minute.
		"--delete-collection-workers=16",
		"--audit-policy-file=" + c.path("audit-policy.yaml"),
		"--audit-log-path=" + c.auditPath(),
	}
}

func (c *Cluster) etcdURL() string {
	return fmt.Sprintf("http://127.0.0.1:%d", c.ports.etcdClient)
}

func (c *Cluster) apiserverAddress() string {
	return fmt.Sprintf("127.0.0.1:%d", c.ports.apiserver)
}
