package fleet

import (
	"fmt"
	"math/rand/v2"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// PerService is how many pods each service has: 10,000 pods make 400 services.
const PerService = 25

// began is when the first pod turned ready. It lies in the past, so that no
// change made from now on has the time of an older one.
var began = time.Date(2026, time.March, 2, 8, 0, 0, 0, time.UTC)

// alphabet is what Kubernetes makes the suffixes of generated names of.
const alphabet = "bcdfghjklmnpqrstvwxz2456789"

// domains and duties make names of services.
var (
	domains = [...]string{"order", "payment", "catalog", "customer", "shipping", "invoice", "pricing", "stock", "search", "session"}
	duties  = [...]string{"service", "gateway", "worker", "api", "backend", "query", "command", "adapter"}
)

// Pod is the i-th pod, ready. It has everything that a pod of a Deployment with
// one Spring Boot container has, managed fields included. The pod is the
// caller's.
func Pod(i int) *corev1.Pod {
	random := rand.New(rand.NewPCG(2026, uint64(i)))
	service := serviceOf(i)
	started := metav1.NewTime(began.Add(time.Duration(i) * 7 * time.Second))
	ready := metav1.NewTime(started.Add(20 * time.Second))
	hash := suffix(rand.New(rand.NewPCG(2026, uint64(i/PerService))), 10)
	name := service + "-" + hash + "-" + suffix(random, 5)
	pod := &corev1.Pod{
		ObjectMeta: objectMeta(name, service, hash, random, started),
		Spec:       spec(service, name, random),
	}
	pod.Status = status(pod, address(i), started, ready)
	pod.ManagedFields = managedFields(service, started, ready)
	return pod
}

// Key is the namespace and name of a pod, as one text.
func Key(pod *corev1.Pod) string {
	return pod.Namespace + "/" + pod.Name
}

// WithReady is pod as it is after its readiness became ready at that time. The
// result shares everything but its conditions with pod.
func WithReady(pod *corev1.Pod, ready bool, at time.Time) *corev1.Pod {
	next := *pod
	word := corev1.ConditionFalse
	if ready {
		word = corev1.ConditionTrue
	}
	next.Status.Conditions = make([]corev1.PodCondition, len(pod.Status.Conditions))
	for i, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady || c.Type == corev1.ContainersReady {
			c.Status, c.LastTransitionTime = word, metav1.NewTime(at)
		}
		next.Status.Conditions[i] = c
	}
	return &next
}

// serviceOf names the service of the i-th pod.
func serviceOf(i int) string {
	n := i / PerService
	domain, duty := domains[n%len(domains)], duties[n/len(domains)%len(duties)]
	return fmt.Sprintf("%s-%s-%d", domain, duty, n)
}

// address is an address of its own for each of 16 million pods.
func address(i int) string {
	return fmt.Sprintf("10.%d.%d.%d", 16+i>>16&0xff, i>>8&0xff, i&0xff)
}

func suffix(random *rand.Rand, length int) string {
	b := make([]byte, length)
	for i := range b {
		b[i] = alphabet[random.IntN(len(alphabet))]
	}
	return string(b)
}

func uid(random *rand.Rand) types.UID {
	a, b := random.Uint64(), random.Uint64()
	return types.UID(fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>52, b&0xffffffffffff))
}
