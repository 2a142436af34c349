package convertor

import (
	"strconv"
	"strings"
)

// The metadata keys that clients and tools look for.
const (
	keyVersion        = "version"
	keyManagementPort = "management.port"
	keyContextPath    = "context-path"
	keyNamespace      = "namespace"
	keyPod            = "pod"
	keyZone           = "zone"
	keyGeeRPC         = "geerpc" // what GeeRPC clients put before the address
	// The first servers of Choerodon wrote the version under this key, the
	// later ones the other two.
	keyChoerodonVersion     = "VERSION"
	keyChoerodonProvisioner = "provisioner"
	keyChoerodonPod         = "pod-self-link"
)

// metadata is what tools and load balancers read of the instance. What the
// pod's owner writes in annotations wins over what is derived.
func (c *conversion) metadata(managementPort int, contextPath string, zone func(nodeName string) string) map[string]string {
	m := map[string]string{
		keyNamespace: c.pod.Namespace,
		keyPod:       c.pod.Name,
	}
	put := func(key, value string) {
		if value != "" {
			m[key] = value
		}
	}
	put(keyVersion, c.labels.version())
	put(keyContextPath, contextPath)
	put(keyZone, c.zone(zone))
	put(keyGeeRPC, c.geeRPC())
	if managementPort != 0 {
		m[keyManagementPort] = strconv.Itoa(managementPort)
	}
	if c.labels.choerodon() {
		m[keyChoerodonVersion] = c.labels.version()
		m[keyChoerodonProvisioner] = "pod"
		m[keyChoerodonPod] = c.pod.Namespace + "/" + c.pod.Name
	}
	start := c.labels.key(nameMetadata)
	for name, value := range c.pod.Annotations {
		if key, ok := strings.CutPrefix(name, start); ok && key != "" {
			put(key, strings.TrimSpace(value))
		}
	}
	return m
}

// zone is the topology zone of the pod, or of its node if that is known (field
// case 84).
func (c *conversion) zone(ofNode func(nodeName string) string) string {
	if zone := strings.TrimSpace(c.pod.Labels[ZoneLabel]); zone != "" {
		return zone
	}
	if ofNode == nil || c.pod.Spec.NodeName == "" {
		return ""
	}
	return ofNode(c.pod.Spec.NodeName)
}

// geeRPC is the protocol by which the bridge to GeeRPC lists the pod, empty when
// the pod is not to be there.
func (c *conversion) geeRPC() string {
	protocol := c.labels.annotation(nameGeeRPC)
	for _, r := range protocol {
		if !isLetterOrDigit(r) && !strings.ContainsRune("+-.", r) || len(protocol) > maxProtocol {
			c.warnings.add(WarningBadGeeRPC, "annotation %s: %s is no protocol, such as tcp; the pod is not in the list of GeeRPC", c.labels.key(nameGeeRPC), clipped(protocol))
			return ""
		}
	}
	return protocol
}

// maxProtocol is more letters than any protocol has. With its address it fits
// where GeeRPC clients read it.
const maxProtocol = 63

func isLetterOrDigit(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}
