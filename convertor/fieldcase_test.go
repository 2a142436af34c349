package convertor_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/convertor"
	"github.com/eurekube/eurekube/eureka"
)

func TestFieldCase12_NamesInUpperAndLowerCase(t *testing.T) {
	inst := listed(t, newPod("a", "10.0.0.5", "Orders-API"), defaultRules)
	equal(t, "app", inst.App, "ORDERS-API")
	equal(t, "VIP", inst.VIPAddress, "orders-api")
	equal(t, "secure VIP", inst.SecureVIPAddress, "orders-api")

	inst = listed(t, newPod("a", "10.0.0.5", "orders", annotation("eurekube.io/vip", "Shop,Orders")), defaultRules)
	equal(t, "app", inst.App, "ORDERS")
	equal(t, "VIP", inst.VIPAddress, "shop,orders")
	equal(t, "secure VIP", inst.SecureVIPAddress, "shop,orders")
}

func TestFieldCase22_BothPortsAndABareAddress(t *testing.T) {
	inst := listed(t, newPod("a", "10.0.0.5", "orders"), defaultRules)
	equal(t, "port", inst.Port, eureka.Port{Number: 8080, Enabled: true})
	equal(t, "secure port", inst.SecurePort, eureka.Port{Number: 443, Enabled: false})
	equal(t, "address", inst.IPAddr, "10.0.0.5")
	if inst.Metadata == nil {
		t.Error("metadata is nil, want a map")
	}
}

func TestFieldCase53_TerminatingPodLeavesAtOnce(t *testing.T) {
	pod := newPod("a", "10.0.0.5", "orders")
	listed(t, pod, defaultRules)
	pod.DeletionTimestamp = &metav1.Time{Time: editTime}
	notListed(t, pod, defaultRules, convertor.ReasonTerminating)
	notListed(t, pod, with(func(r *convertor.Rules) { r.Unready = convertor.UnreadyDown }), convertor.ReasonTerminating)
}

func TestFieldCase54_ThePodsReadyConditionDecides(t *testing.T) {
	containersReady := condition(corev1.ContainersReady, corev1.ConditionTrue, readyTime)
	gate := condition("lb.example/ok", corev1.ConditionFalse, readyTime)
	gated := newPod("a", "10.0.0.5", "orders", conditions(gate, containersReady, condition(corev1.PodReady, corev1.ConditionFalse, readyTime)))
	notListed(t, gated, defaultRules, convertor.ReasonNotReady)
	gated.Status.Conditions[2].Status = corev1.ConditionTrue
	listed(t, gated, defaultRules)

	half := newPod("b", "10.0.0.6", "orders", unready(readyTime), func(p *corev1.Pod) {
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", Ready: true}, {Name: "second", Ready: false}}
	})
	notListed(t, half, defaultRules, convertor.ReasonNotReady)
}

func TestFieldCase56_FinishedPodsAreNeverListed(t *testing.T) {
	for _, p := range []corev1.PodPhase{corev1.PodSucceeded, corev1.PodFailed} {
		notListed(t, newPod("job", "10.0.0.5", "orders", phase(p)), defaultRules, convertor.ReasonFinished)
	}
}

func TestFieldCase58_AFailedPodDoesNotHoldItsAddress(t *testing.T) {
	evicted := newPod("a", "10.0.0.7", "cart", phase(corev1.PodFailed), func(p *corev1.Pod) { p.Status.Reason = "Evicted" })
	notListed(t, evicted, defaultRules, convertor.ReasonFinished)
	equal(t, "app", listed(t, newPod("b", "10.0.0.7", "mail"), defaultRules).App, "MAIL")
}

func TestFieldCase68_UnreadyPodsAreShownOnDemand(t *testing.T) {
	pod := newPod("a", "10.0.0.5", "orders", unready(readyTime))
	notListed(t, pod, defaultRules, convertor.ReasonNotReady)
	down := with(func(r *convertor.Rules) { r.Unready = convertor.UnreadyDown })
	equal(t, "status", listed(t, pod, down).Status, eureka.StatusDown)
	equal(t, "status", listed(t, newPod("a", "10.0.0.5", "orders", unready(startTime)), down).Status, eureka.StatusStarting)
}

func TestFieldCase69_TheHostIsTheAddressNotThePodName(t *testing.T) {
	inst := listed(t, newPod("orders-7d9-abc", "10.0.0.5", "orders"), defaultRules)
	equal(t, "host", inst.HostName, "10.0.0.5")
	equal(t, "address", inst.IPAddr, "10.0.0.5")
	equal(t, "home URL", inst.HomePageURL, "http://10.0.0.5:8080/")
	equal(t, "health URL", inst.HealthCheckURL, "http://10.0.0.5:8081/actuator/health")
}

func TestFieldCase71_AnAnnotationAdvertisesAnotherHostAndPort(t *testing.T) {
	inst := listed(t, newPod("a", "10.0.0.5", "orders",
		annotation("eurekube.io/advertise-host", "gw.example.com"), annotation("eurekube.io/advertise-port", "443")), defaultRules)
	equal(t, "host", inst.HostName, "gw.example.com")
	equal(t, "port", inst.Port.Number, 443)
	equal(t, "address", inst.IPAddr, "10.0.0.5")
	equal(t, "id", inst.ID, "10.0.0.5:orders:8080")
	equal(t, "home URL", inst.HomePageURL, "http://gw.example.com:443/")
}

func TestFieldCase72_OneInstancePerPod(t *testing.T) {
	a := listed(t, newPod("a", "10.0.0.11", "client1"), defaultRules)
	b := listed(t, newPod("b", "10.0.0.12", "client1"), defaultRules)
	equal(t, "addresses", []string{a.IPAddr, b.IPAddr}, []string{"10.0.0.11", "10.0.0.12"})
	equal(t, "ids", []string{a.ID, b.ID}, []string{"10.0.0.11:client1:8080", "10.0.0.12:client1:8080"})
}

func TestFieldCase73_DualStack(t *testing.T) {
	pod := newPod("a", "", "orders", addresses("10.1.2.3", "10.1.2.3", "fd00::3"))
	equal(t, "address", listed(t, pod, defaultRules).IPAddr, "10.1.2.3")
	ipv6 := with(func(r *convertor.Rules) { r.IPFamily = convertor.IPFamilyIPv6 })
	inst := listed(t, pod, ipv6)
	equal(t, "address", inst.IPAddr, "fd00::3")
	equal(t, "host", inst.HostName, "[fd00::3]")

	inst, warnings, err := convertor.Convert(newPod("b", "10.1.2.4", "orders"), ipv6)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "address", inst.IPAddr, "10.1.2.4")
	equal(t, "warnings", reasonsOf(warnings), []convertor.WarningReason{convertor.WarningNoAddressOfFamily})
}

func TestFieldCase75_HostNetworkPodsShareAnAddress(t *testing.T) {
	host := func(name, service string, port int32) string {
		pod := newPod(name, "192.168.1.5", service, containers(container("app", tcp("http", port))))
		pod.Spec.HostNetwork = true
		return listed(t, pod, defaultRules).ID
	}
	equal(t, "ids", []string{host("one", "a", 8081), host("two", "b", 8082), host("three", "a", 8083)},
		[]string{"192.168.1.5:a:8081", "192.168.1.5:b:8082", "192.168.1.5:a:8083"})
}

func TestFieldCase76_SidecarPortsAreNotTheServices(t *testing.T) {
	injected := newPod("a", "10.0.0.5", "orders", containers(
		container("istio-proxy", tcp("http-envoy-prom", 15090), tcp("", 15021)), container("app", tcp("http", 8080))))
	equal(t, "port", listed(t, injected, defaultRules).Port.Number, 8080)
	injected.Spec.Containers[1].Ports[0].Name = ""
	equal(t, "unnamed port", listed(t, injected, defaultRules).Port.Number, 8080)

	always := corev1.ContainerRestartPolicyAlways
	native := newPod("b", "10.0.0.6", "orders", containers(container("app", tcp("", 8080))))
	native.Spec.InitContainers = []corev1.Container{{Name: "proxy", RestartPolicy: &always, Ports: []corev1.ContainerPort{tcp("http", 9901)}}}
	equal(t, "port beside a native sidecar", listed(t, native, defaultRules).Port.Number, 8080)
}

func TestFieldCase78_ContainersThatDeclareNoPort(t *testing.T) {
	pod := newPod("a", "10.0.0.5", "orders", containers(container("app")))
	notListed(t, pod, defaultRules, convertor.ReasonNoPort)
	annotation("eurekube.io/port", "8080")(pod)
	equal(t, "port", listed(t, pod, defaultRules).Port.Number, 8080)
	annotation("eurekube.io/port", "0")(pod)
	notListed(t, pod, defaultRules, convertor.ReasonNoPort)
}

func TestFieldCase80_ManagementPortInMetadataAndURLs(t *testing.T) {
	for name, pod := range map[string]*corev1.Pod{
		"eurekube":  newPod("a", "10.0.0.5", "orders"),
		"choerodon": newPod("a", "10.0.0.5", "orders", choerodon),
	} {
		inst := listed(t, pod, defaultRules)
		equal(t, name+" metadata", inst.Metadata["management.port"], "8081")
		equal(t, name+" status URL", inst.StatusPageURL, "http://10.0.0.5:8081/actuator/info")
	}
}

func TestFieldCase82_AnnotationsHoldWhatLabelsCannot(t *testing.T) {
	inst := listed(t, newPod("a", "10.0.0.5", "orders", label("eurekube.io/version", "1.4.2_build.7"),
		annotation("eurekube.io/version", "1.4.2+build.7"), annotation("eurekube.io/context-path", "/api/v1/")), defaultRules)
	equal(t, "version", inst.Metadata["version"], "1.4.2+build.7")
	equal(t, "context path", inst.Metadata["context-path"], "/api/v1")
	equal(t, "home URL", inst.HomePageURL, "http://10.0.0.5:8080/api/v1/")

	inst = listed(t, newPod("a", "10.0.0.5", "orders", label("eurekube.io/context-path", "shop")), defaultRules)
	equal(t, "context path", inst.Metadata["context-path"], "/shop")
}

func TestFieldCase84_ZoneOfTheNode(t *testing.T) {
	zones := with(func(r *convertor.Rules) {
		r.Zone = func(node string) string { return map[string]string{"node-1": "eu-1a", "": "nowhere"}[node] }
	})
	zone := func(pod *corev1.Pod, rules convertor.Rules) string {
		return listed(t, pod, rules).Metadata["zone"]
	}
	pod := newPod("a", "10.0.0.5", "orders")
	equal(t, "zone of the node", zone(pod, zones), "eu-1a")
	equal(t, "nodes cannot be read", zone(pod, defaultRules), "")
	pod.Spec.NodeName = "node-2"
	equal(t, "unknown node", zone(pod, zones), "")
	pod.Spec.NodeName = ""
	equal(t, "not on a node", zone(pod, zones), "")
	pod.Labels["topology.kubernetes.io/zone"] = "eu-1b"
	equal(t, "zone of the pod", zone(pod, zones), "eu-1b")
}

func TestFieldCase85_AdvertiseTheServiceName(t *testing.T) {
	host := annotation("eurekube.io/advertise-host", "orders.shop.svc")
	a := listed(t, newPod("a", "10.0.0.5", "orders", host), defaultRules)
	b := listed(t, newPod("b", "10.0.0.6", "orders", host), defaultRules)
	equal(t, "hosts", []string{a.HostName, b.HostName}, []string{"orders.shop.svc", "orders.shop.svc"})
	equal(t, "addresses", []string{a.IPAddr, b.IPAddr}, []string{"10.0.0.5", "10.0.0.6"})
	equal(t, "ids", []string{a.ID, b.ID}, []string{"10.0.0.5:orders:8080", "10.0.0.6:orders:8080"})
}

func TestFieldCase86_AnUnreadyPodIsDescribedForItsRegistration(t *testing.T) {
	ready := listed(t, newPod("a", "10.0.0.5", "orders"), defaultRules)
	starting := notListed(t, newPod("a", "10.0.0.5", "orders", unready(startTime)), defaultRules, convertor.ReasonNotReady)
	if starting == nil {
		t.Fatal("an unready pod with an address is not described")
	}
	equal(t, "id and app", []string{starting.ID, starting.App}, []string{ready.ID, ready.App})
	equal(t, "status", starting.Status, eureka.StatusStarting)
}

func TestFieldCase104_NamespaceInMetadata(t *testing.T) {
	a, b := newPod("gw", "10.0.0.1", "gateway"), newPod("gw", "10.0.0.2", "gateway")
	a.Namespace, b.Namespace = "a", "b"
	first, second := listed(t, a, defaultRules), listed(t, b, defaultRules)
	equal(t, "namespaces", []string{first.Metadata["namespace"], second.Metadata["namespace"]}, []string{"a", "b"})
	equal(t, "ids", []string{first.ID, second.ID}, []string{"10.0.0.1:gateway:8080", "10.0.0.2:gateway:8080"})
}
