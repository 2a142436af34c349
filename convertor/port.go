package convertor

import (
	"cmp"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

const maxPort = 65535

// The port names that say by themselves which port is the service's.
const (
	portHTTP  = "http"
	portHTTPS = "https"
)

// servicePort is the port that the pod's owner named, or else the likeliest of
// the declared ones (field case 76). It reports false for a pod without a
// usable port.
func (c *conversion) servicePort(declared declaredPorts) (corev1.ContainerPort, bool) {
	hint := c.labels.value(namePort)
	if port, ok := declared.lookUp(hint); ok {
		return port, true
	}
	port, ok := declared.likeliest()
	if hint != "" {
		c.warnings.add(WarningBadPortLabel, "%s: %s is neither a port number nor the name of a TCP port of the pod; %s",
			c.labels.key(namePort), clipped(hint), instead(port))
	}
	return port, ok
}

func instead(port corev1.ContainerPort) string {
	if port.ContainerPort == 0 {
		return "there is no other"
	}
	return "using " + strconv.Itoa(int(port.ContainerPort))
}

// optionalPort is the port under name, 0 with a warning when it is unusable,
// 0 when there is none.
func (c *conversion) optionalPort(declared declaredPorts, name string, bad WarningReason) int {
	hint := c.labels.value(name)
	if hint == "" {
		return 0
	}
	port, ok := declared.lookUp(hint)
	if !ok {
		c.warnings.add(bad, "%s: %s is neither a port number nor the name of a TCP port of the pod; ignored",
			c.labels.key(name), clipped(hint))
	}
	return int(port.ContainerPort)
}

// advertisedPort is the port that clients shall call instead of port.
func (c *conversion) advertisedPort(port int) int {
	hint := c.labels.annotation(nameAdvertisePort)
	if hint == "" {
		return port
	}
	advertised, ok := portNumber(hint)
	if !ok {
		c.warnings.add(WarningBadAdvertisePort, "annotation %s: %s is not a port number; using %d",
			c.labels.key(nameAdvertisePort), clipped(hint), port)
		return port
	}
	return advertised
}

// portNumber reads a port number that a client can call.
func portNumber(word string) (int, bool) {
	n, err := strconv.ParseUint(word, 10, 16)
	return int(n), err == nil && n > 0
}

// lookUp is the port that hint names. A number counts even if no container
// declares it: declaring ports is optional in Kubernetes (field case 78). Its
// name, if declared, comes with it.
func (d declaredPorts) lookUp(hint string) (corev1.ContainerPort, bool) {
	if n, ok := portNumber(hint); ok {
		number := int32(n)
		port, declared := d.find(func(p corev1.ContainerPort) bool { return p.ContainerPort == number })
		if !declared {
			port = corev1.ContainerPort{ContainerPort: number}
		}
		return port, true
	}
	if hint == "" {
		return corev1.ContainerPort{}, false
	}
	return d.find(func(p corev1.ContainerPort) bool { return p.Name == hint })
}

// find is the first declared port that matches, those of sidecars last.
func (d declaredPorts) find(match func(corev1.ContainerPort) bool) (corev1.ContainerPort, bool) {
	for _, ports := range [...][]corev1.ContainerPort{d.preferred, d.ordinary, d.sidecar} {
		if i := slices.IndexFunc(ports, match); i >= 0 {
			return ports[i], true
		}
	}
	return corev1.ContainerPort{}, false
}

// likeliest is the port called http, else the one called https, else the first,
// of the default container or else of those that are no sidecars. It reports
// false when they declare none.
func (d declaredPorts) likeliest() (corev1.ContainerPort, bool) {
	ports := d.preferred
	if len(ports) == 0 {
		ports = d.ordinary
	}
	if len(ports) == 0 {
		return corev1.ContainerPort{}, false
	}
	// The first of the smallest rank wins.
	return slices.MinFunc(ports, func(a, b corev1.ContainerPort) int {
		return cmp.Compare(nameRank(a), nameRank(b))
	}), true
}

func nameRank(p corev1.ContainerPort) int {
	switch p.Name {
	case portHTTP:
		return 0
	case portHTTPS:
		return 1
	}
	return 2
}
