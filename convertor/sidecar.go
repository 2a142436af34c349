package convertor

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// sidecars are the names under which well-known products inject a container
// beside the application's. Native sidecars need no name: they are init
// containers, and the ports of those never count.
var sidecars = []string{
	"istio-proxy",      // Istio
	"linkerd-proxy",    // Linkerd
	"kuma-sidecar",     // Kuma, Kong Mesh
	"consul-dataplane", // Consul
	"envoy",            // AWS App Mesh, Gloo
	"daprd",            // Dapr
	"vault-agent",      // Vault
	"cloud-sql-proxy",  // Google Cloud SQL
	"xray-daemon",      // AWS X-Ray
	"jaeger-agent",     // Jaeger
	"otc-container",    // OpenTelemetry operator
	"fluent-bit",       // Fluent Bit
	"filebeat",         // Elastic Filebeat
}

// declaredPorts are the TCP ports that a pod's containers declare, sorted by
// how likely they are the application's.
type declaredPorts struct {
	// preferred are those of the container that the pod calls its default.
	preferred []corev1.ContainerPort
	// ordinary are those of the other containers that are no sidecars.
	ordinary []corev1.ContainerPort
	// sidecar are those of sidecars, never taken unless named.
	sidecar []corev1.ContainerPort
}

// portsOf sorts the ports of pod. If every container is a sidecar, they are
// all ordinary: the product itself is the service then.
func portsOf(pod *corev1.Pod) declaredPorts {
	var d declaredPorts
	onlySidecars := true
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		switch {
		case c.Name != "" && c.Name == pod.Annotations[DefaultContainerAnnotation]:
			d.preferred = appendTCP(d.preferred, c.Ports)
			onlySidecars = false
		case slices.Contains(sidecars, c.Name):
			d.sidecar = appendTCP(d.sidecar, c.Ports)
		default:
			d.ordinary = appendTCP(d.ordinary, c.Ports)
			onlySidecars = false
		}
	}
	if onlySidecars {
		d.ordinary, d.sidecar = d.sidecar, nil
	}
	return d
}

// appendTCP appends the usable ports among declared. Port 0 is never
// advertised (field case 78).
func appendTCP(ports, declared []corev1.ContainerPort) []corev1.ContainerPort {
	for _, p := range declared {
		tcp := p.Protocol == "" || p.Protocol == corev1.ProtocolTCP
		if tcp && p.ContainerPort > 0 && p.ContainerPort <= maxPort {
			ports = append(ports, p)
		}
	}
	return ports
}
