package app

import (
	"net/http"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clienttesting "k8s.io/client-go/testing"
)

func TestFieldCase69_HostAndURLsAreThePodsAddress(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("orders-7d9-abc", "10.0.0.5", "orders"))
		r.serve()
		i := r.one("ORDERS")
		r.equal("hostName", i.HostName, "10.0.0.5")
		r.equal("ipAddr", i.IPAddr, "10.0.0.5")
		r.equal("homePageUrl", i.HomePageURL, "http://10.0.0.5:8080/")
		r.equal("healthCheckUrl", i.HealthCheckURL, "http://10.0.0.5:8081/actuator/health")
	})
}

func TestFieldCase71_AdvertisedHostAndPort(t *testing.T) {
	inBubble(t, func(r *rig) {
		p := pod("a", "10.0.0.5", "orders")
		r.create(p)
		r.serve()
		r.change(p, annotation("advertise-host", "gw.example.com"), annotation("advertise-port", "443"))
		i := r.one("ORDERS")
		r.equal("hostName", i.HostName, "gw.example.com")
		r.equal("port.$", i.Port.Number, 443)
		r.equal("ipAddr", i.IPAddr, "10.0.0.5")
		r.equal("instanceId", i.ID, "10.0.0.5:orders:8080")
	})
}

func TestFieldCase72_TwoReplicasAreTwoInstances(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.11", "client1"), pod("b", "10.0.0.12", "client1"))
		r.serve()
		r.wantListed("10.0.0.11:client1:8080 UP", "10.0.0.12:client1:8080 UP")
	})
}

func TestFieldCase73_FamilyOfADualStackPod(t *testing.T) {
	tests := []struct {
		name, family string
		ips          []string
		ip, host     string
		warned       bool
	}{
		{name: "auto", family: "auto", ips: []string{"10.1.2.3", "fd00::3"}, ip: "10.1.2.3", host: "10.1.2.3"},
		{name: "IPv6", family: "ipv6", ips: []string{"10.1.2.3", "fd00::3"}, ip: "fd00::3", host: "[fd00::3]"},
		{name: "IPv4", family: "ipv4", ips: []string{"fd00::3", "10.1.2.3"}, ip: "10.1.2.3", host: "10.1.2.3"},
		{name: "no match", family: "ipv6", ips: []string{"10.1.2.3"}, ip: "10.1.2.3", host: "10.1.2.3", warned: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				r.create(pod("a", "", "orders", addresses(tt.ips...)))
				r.serve("--ip-family=" + tt.family)
				i := r.one("ORDERS")
				r.equal("ipAddr", i.IPAddr, tt.ip)
				r.equal("hostName", i.HostName, tt.host)
				r.equal("homePageUrl", i.HomePageURL, "http://"+tt.host+":8080/")
				var warnings []string
				for _, p := range r.explained("") {
					warnings = append(warnings, p.warnings()...)
				}
				r.equal("warned", len(warnings) == 1 && warnings[0] == "no-address-of-family", tt.warned)
			})
		})
	}
}

func TestFieldCase75_IdentityIsThePodNotItsAddress(t *testing.T) {
	inBubble(t, func(r *rig) {
		first := pod("a-1", "192.168.1.5", "a", hostNetwork(8081))
		r.create(first, pod("b-1", "192.168.1.5", "b", hostNetwork(8082)), pod("a-2", "192.168.1.5", "a", hostNetwork(8083)))
		r.serve()
		r.wantListed("192.168.1.5:a:8081 UP", "192.168.1.5:a:8083 UP", "192.168.1.5:b:8082 UP")
		r.remove(first)
		r.wantListed("192.168.1.5:a:8083 UP", "192.168.1.5:b:8082 UP")
	})
}

func TestFieldCase76_TheApplicationsPortAmongSidecars(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	native := container("proxy", port("admin", 9901))
	native.RestartPolicy = &always
	inBubble(t, func(r *rig) {
		r.create(
			pod("a", "10.0.0.1", "injected", containers(container("istio-proxy", port("http-envoy-prom", 15090), port("status", 15021)), container("app", port("http", 8080)))),
			pod("b", "10.0.0.2", "native", func(p *corev1.Pod) { p.Spec.InitContainers = []corev1.Container{native} }),
		)
		r.serve()
		r.wantListed("10.0.0.1:injected:8080 UP", "10.0.0.2:native:8080 UP")
	})
}

func TestFieldCase78_WithoutAPortThereIsAReason(t *testing.T) {
	inBubble(t, func(r *rig) {
		p := pod("a", "10.0.0.5", "orders", containers(container("app")))
		r.create(p)
		r.serve()
		r.wantListed()
		r.equal("reason", r.explained("")[0].Reason, "no-port")
		r.contains(ask(r.admin, http.MethodGet, "/metrics").Body.String(), `eurekube_pods_unlisted{reason="no-port"} 1`)
		r.change(p, annotation("port", "8080"))
		r.wantListed("10.0.0.5:orders:8080 UP")
		r.change(p, annotation("port", "0"))
		r.wantListed()
	})
}

func TestFieldCase80_TheManagementPortIsInTheMetadata(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders"))
		r.serve()
		i := r.one("ORDERS")
		r.equal("metadata", i.Metadata["management.port"], "8081")
		r.equal("statusPageUrl", i.StatusPageURL, "http://10.0.0.5:8081/actuator/info")
	})
}

func TestFieldCase82_AnAnnotationHoldsWhatALabelCannot(t *testing.T) {
	inBubble(t, func(r *rig) {
		p := pod("a", "10.0.0.5", "orders", label("eurekube.io/version", "1.4.2_build.7"), label("eurekube.io/context-path", "shop"))
		r.create(p)
		r.serve()
		r.equal("context path of a label", r.one("ORDERS").Metadata["context-path"], "/shop")
		r.change(p, annotation("context-path", "/api/v1/"), annotation("version", "1.4.2+build.7"))
		i := r.one("ORDERS")
		r.equal("context path", i.Metadata["context-path"], "/api/v1")
		r.equal("version", i.Metadata["version"], "1.4.2+build.7")
		r.equal("homePageUrl", i.HomePageURL, "http://10.0.0.5:8080/api/v1/")
	})
}

// nodesResource is what the fake clients call nodes.
var nodesResource = schema.GroupVersionResource{Version: "v1", Resource: "nodes"}

func node(name, zone string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelTopologyZone: zone}},
	}
}

func TestFieldCase84_TheZoneOfTheNode(t *testing.T) {
	inBubble(t, func(r *rig) {
		if err := r.nodes.Tracker().Create(nodesResource, node("node-1", "eu-1a"), ""); err != nil {
			t.Fatal(err)
		}
		r.create(pod("a", "10.0.0.5", "orders"), pod("b", "10.0.0.6", "cart", label(corev1.LabelTopologyZone, "own")))
		r.serve()
		r.equal("zone", r.one("ORDERS").Metadata["zone"], "eu-1a")
		r.equal("zone of a pod that has the label", r.one("CART").Metadata["zone"], "own")
		r.equal("action of an instance that had its zone from the start", r.one("ORDERS").ActionType, "ADDED")

		if err := r.nodes.Tracker().Update(nodesResource, node("node-1", "eu-1b"), ""); err != nil {
			t.Fatal(err)
		}
		r.settle()
		r.equal("zone of a node that moved", r.one("ORDERS").Metadata["zone"], "eu-1b")
		r.equal("action", r.one("ORDERS").ActionType, "MODIFIED")
	})
}

func TestFieldCase84_WithoutPermissionThereIsNoZone(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.nodes.PrependReactor("list", "nodes", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, apierrors.NewForbidden(nodesResource.GroupResource(), "", nil)
		})
		r.create(pod("a", "10.0.0.5", "orders"))
		r.serve()
		zone, ok := r.one("ORDERS").Metadata["zone"]
		r.equal("zone "+zone, ok, false)
		r.equal("readiness", ask(r.admin, http.MethodGet, "/readyz").Code, http.StatusOK)
	})
}

// A list of nodes that does not come must not keep pods from being listed.
func TestFieldCase84_NodesThatDoNotAnswer(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.nodes.PrependReactor("list", "nodes", func(clienttesting.Action) (bool, runtime.Object, error) {
			time.Sleep(time.Minute)
			return false, nil, nil
		})
		if err := r.nodes.Tracker().Create(nodesResource, node("node-1", "eu-1a"), ""); err != nil {
			t.Fatal(err)
		}
		r.create(pod("a", "10.0.0.5", "orders"))
		r.serve()
		r.pass(10 * time.Second)
		zone, ok := r.one("ORDERS").Metadata["zone"]
		r.equal("zone "+zone, ok, false)
		r.pass(time.Minute)
		r.equal("zone", r.one("ORDERS").Metadata["zone"], "eu-1a")
	})
}

func TestFieldCase85_TheServiceAsTheHost(t *testing.T) {
	inBubble(t, func(r *rig) {
		host := annotation("advertise-host", "orders.shop.svc")
		r.create(pod("a", "10.0.0.5", "orders", host), pod("b", "10.0.0.6", "orders", host))
		r.serve()
		r.wantListed("10.0.0.5:orders:8080 UP", "10.0.0.6:orders:8080 UP")
		for _, i := range r.app("ORDERS").Instances {
			r.equal("hostName", i.HostName, "orders.shop.svc")
			r.equal("homePageUrl", i.HomePageURL, "http://orders.shop.svc:8080/")
		}
	})
}
