package convertor

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/eurekube/eurekube/eureka"
)

// The port of an instance that offers no secure one: the number that Spring's
// clients register then, disabled (field case 22).
const idleSecurePort = 443

// Convert is the instance that pod is listed as. The error is a [Reason] when
// the pod is not listed: only a nil error says that it is. Beside
// [ReasonNotReady] and [ReasonTerminating] there is an instance all the same
// when the pod has a process with an address and a usable port, for whoever has
// to know which process that is, such as one that registered itself before its
// pod was seen ready. Warnings may come with either, always in the same order.
// The pod is only read, so any number of goroutines may call Convert at once,
// also with the same pod. The instance is the caller's.
func Convert(pod *corev1.Pod, rules Rules) (*eureka.Instance, []Warning, error) {
	status, unlisted := statusOf(pod, rules.Unready)
	if unlisted != nil && !hasProcess(pod) {
		return nil, nil, unlisted
	}
	c := conversion{pod: pod, labels: labelsUnder(pod, rules.Prefixes)}
	if err := c.labels.missing(); err != nil {
		return nil, nil, firstOf(unlisted, err)
	}
	inst, err := c.instance(status, rules)
	return inst, c.warnings, firstOf(unlisted, err)
}

// firstOf is the reason that the package's table has further up.
func firstOf(unlisted, err error) error {
	if unlisted != nil {
		return unlisted
	}
	return err
}

// conversion is one pod on its way, and the warnings met so far.
type conversion struct {
	pod      *corev1.Pod
	labels   labels
	warnings warnings
}

// instance describes the pod, whose own state is worth status.
func (c *conversion) instance(status eureka.Status, rules Rules) (*eureka.Instance, error) {
	c.warnUnknown(rules.Prefixes)
	declared := portsOf(c.pod)
	port, ok := c.servicePort(declared)
	if !ok {
		return nil, ReasonNoPort
	}
	service := c.service()
	address := c.address(rules.IPFamily)
	managementPort := c.optionalPort(declared, c.labels.managementPortName(), WarningBadManagementPort)
	contextPath := c.contextPath()
	inst := &eureka.Instance{
		ID:             address + ":" + service + ":" + strconv.Itoa(int(port.ContainerPort)),
		App:            strings.ToUpper(service),
		IPAddr:         address,
		CountryID:      eureka.DefaultCountryID,
		DataCenterInfo: eureka.DataCenterInfo{Name: eureka.DataCenterMyOwn},
		Metadata:       c.metadata(managementPort, contextPath, rules.Zone),
		VIPAddress:     c.vip(service),
	}
	inst.SecureVIPAddress = inst.VIPAddress
	c.setStatus(inst, status)
	c.setPorts(inst, port, address, declared)
	c.setURLs(inst, port, managementPort, contextPath)
	c.setTimes(inst)
	return inst, nil
}

// statuses are those of Eureka, as a warning names them.
var statuses = fmt.Sprintf("%s, %s, %s, %s and %s", eureka.StatusUp, eureka.StatusDown, eureka.StatusOutOfService, eureka.StatusStarting, eureka.StatusUnknown)

// service is the service's name as its owner wrote it.
func (c *conversion) service() string {
	name := c.labels.value(NameService)
	if !IsHostName(name) {
		c.warnings.add(WarningNotAHostName, "%s: %s cannot be the host in a URL; load-balanced calls to it fail in many clients",
			c.labels.key(NameService), clipped(name))
	}
	return name
}

// setStatus applies the override of the pod's owner. As in Eureka it lifts no
// instance that is not healthy (protocol section 5.7, rule 1): an unready pod
// does not become UP.
func (c *conversion) setStatus(inst *eureka.Instance, status eureka.Status) {
	inst.Status, inst.OverriddenStatus = status, eureka.StatusUnknown
	word := c.labels.annotation(nameStatus)
	if word == "" {
		return
	}
	override, ok := eureka.ParseStatus(word)
	if !ok {
		c.warnings.add(WarningBadStatus, "annotation %s: %s is none of the statuses %s; ignored", c.labels.key(nameStatus), clipped(word), statuses)
		return
	}
	inst.OverriddenStatus = override
	if override != eureka.StatusUp {
		inst.Status = override
	}
}

// setPorts says where clients call. A service port called https is also the
// secure port.
func (c *conversion) setPorts(inst *eureka.Instance, port corev1.ContainerPort, address string, declared declaredPorts) {
	inst.HostName = c.host(address)
	inst.Port = eureka.Port{Number: c.advertisedPort(int(port.ContainerPort)), Enabled: true}
	inst.SecurePort = eureka.Port{Number: idleSecurePort}
	if port.Name == portHTTPS {
		inst.SecurePort = inst.Port
	}
	if secure := c.optionalPort(declared, nameSecurePort, WarningBadSecurePort); secure != 0 {
		inst.SecurePort = eureka.Port{Number: secure, Enabled: true}
	}
}

// setURLs builds the URLs from the host and ports of inst. An application
// serves its management port, if it has one of its own, without its context
// path, as Spring Boot does.
func (c *conversion) setURLs(inst *eureka.Instance, port corev1.ContainerPort, managementPort int, contextPath string) {
	home := endpoint{scheme: "http", host: inst.HostName, port: inst.Port.Number, base: contextPath}
	if port.Name == portHTTPS {
		home.scheme = "https"
	}
	management := home
	if managementPort != 0 && managementPort != int(port.ContainerPort) {
		management.port, management.base = managementPort, ""
	}
	healthPath := c.annotatedPath(nameHealthPath, defaultHealthPath)
	inst.HomePageURL = home.url("/")
	inst.StatusPageURL = management.url(c.annotatedPath(nameStatusPath, defaultStatusPath))
	inst.HealthCheckURL = management.url(healthPath)
	switch {
	case !inst.SecurePort.Enabled:
	case home.scheme == "https":
		inst.SecureHealthCheckURL = inst.HealthCheckURL
	default:
		secure := endpoint{scheme: "https", host: inst.HostName, port: inst.SecurePort.Number, base: home.base}
		inst.SecureHealthCheckURL = secure.url(healthPath)
	}
}

// setTimes takes every time from the pod.
func (c *conversion) setTimes(inst *eureka.Instance) {
	since := readySince(c.pod)
	inst.Lease = eureka.Lease{
		RenewalIntervalInSecs: eureka.DefaultRenewalIntervalInSecs,
		DurationInSecs:        eureka.DefaultDurationInSecs,
		RegistrationTimestamp: since,
		LastRenewalTimestamp:  since,
	}
	if inst.Status == eureka.StatusUp {
		inst.Lease.ServiceUpTimestamp = since
	}
	changed := ChangedAt(c.pod)
	inst.LastUpdatedTimestamp, inst.LastDirtyTimestamp = changed, changed
}
