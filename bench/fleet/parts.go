package fleet

import (
	"fmt"
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// The ports of every pod: the service's and the management port.
const (
	servicePort    = 8080
	managementPort = 8081
)

func objectMeta(name, service, hash string, random *rand.Rand, started metav1.Time) metav1.ObjectMeta {
	yes := true
	return metav1.ObjectMeta{
		Name:              name,
		GenerateName:      service + "-" + hash + "-",
		Namespace:         "shop",
		UID:               uid(random),
		CreationTimestamp: started,
		Labels: map[string]string{
			"app.kubernetes.io/name":      service,
			"app.kubernetes.io/instance":  service,
			"app.kubernetes.io/version":   fmt.Sprintf("1.%d.0", random.IntN(40)),
			"pod-template-hash":           hash,
			"eurekube.io/service":         service,
			"eurekube.io/management-port": fmt.Sprint(managementPort),
		},
		Annotations: map[string]string{
			"checksum/config":      fmt.Sprintf("%016x%016x", random.Uint64(), random.Uint64()),
			"prometheus.io/scrape": "true",
			"prometheus.io/path":   "/actuator/prometheus",
		},
		OwnerReferences: []metav1.OwnerReference{{
			APIVersion: "apps/v1", Kind: "ReplicaSet", Name: service + "-" + hash, UID: uid(random), Controller: &yes, BlockOwnerDeletion: &yes,
		}},
	}
}

func spec(service, name string, random *rand.Rand) corev1.PodSpec {
	return corev1.PodSpec{
		NodeName:           fmt.Sprintf("node-%03d", random.IntN(100)),
		ServiceAccountName: service,
		RestartPolicy:      corev1.RestartPolicyAlways,
		DNSPolicy:          corev1.DNSClusterFirst,
		SchedulerName:      corev1.DefaultSchedulerName,
		Tolerations: []corev1.Toleration{
			{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute},
			{Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute},
		},
		Volumes: []corev1.Volume{
			{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: service + "-config"}}}},
			{Name: "kube-api-access-" + name[len(name)-5:], VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
				{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token"}},
				{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: corev1.LocalObjectReference{Name: "kube-root-ca.crt"}}},
			}}}},
		},
		Containers: []corev1.Container{container(service)},
	}
}

func container(service string) corev1.Container {
	probe := func(path string) *corev1.Probe {
		return &corev1.Probe{PeriodSeconds: 10, TimeoutSeconds: 2, FailureThreshold: 3, ProbeHandler: corev1.ProbeHandler{
			HTTPGet: &corev1.HTTPGetAction{Path: path, Port: intstr.FromString("management"), Scheme: corev1.URISchemeHTTP},
		}}
	}
	return corev1.Container{
		Name:  service,
		Image: "registry.example.com/shop/" + service + ":1.0.0",
		Ports: []corev1.ContainerPort{
			{Name: "http", ContainerPort: servicePort, Protocol: corev1.ProtocolTCP},
			{Name: "management", ContainerPort: managementPort, Protocol: corev1.ProtocolTCP},
		},
		Env: []corev1.EnvVar{
			{Name: "SPRING_PROFILES_ACTIVE", Value: "production,kubernetes"},
			{Name: "SPRING_APPLICATION_NAME", Value: service},
			{Name: "SERVER_PORT", Value: fmt.Sprint(servicePort)},
			{Name: "MANAGEMENT_SERVER_PORT", Value: fmt.Sprint(managementPort)},
			{Name: "EUREKA_CLIENT_SERVICEURL_DEFAULTZONE", Value: "http://eurekube.shop:8761/eureka"},
			{Name: "JAVA_TOOL_OPTIONS", Value: "-XX:MaxRAMPercentage=75 -XX:+ExitOnOutOfMemoryError"},
			{Name: "POD_IP", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "status.podIP"}}},
		},
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("250m"), corev1.ResourceMemory: resource.MustParse("768Mi")},
			Limits:   corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")},
		},
		VolumeMounts:             []corev1.VolumeMount{{Name: "config", MountPath: "/config", ReadOnly: true}},
		LivenessProbe:            probe("/actuator/health/liveness"),
		ReadinessProbe:           probe("/actuator/health/readiness"),
		TerminationMessagePath:   corev1.TerminationMessagePathDefault,
		TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		ImagePullPolicy:          corev1.PullIfNotPresent,
	}
}
