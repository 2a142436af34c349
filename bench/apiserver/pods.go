package apiserver

import (
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// podType is set on every pod: serializers write it and do not know it.
var podType = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}

// pods is the present pods and everything that ever happened to them.
type pods struct {
	mu      sync.Mutex // guards all below
	current map[string]*corev1.Pod
	log     []watch.Event // the n-th has resource version n+1
	more    chan struct{} // closed when the log grows
}

func newPods() *pods {
	return &pods{current: make(map[string]*corev1.Pod), more: make(chan struct{})}
}

// set makes pod the present one of its name.
func (p *pods) set(pod *corev1.Pod) {
	p.mu.Lock()
	defer p.mu.Unlock()
	next := *pod
	next.TypeMeta = podType
	next.ResourceVersion = strconv.Itoa(len(p.log) + 1)
	key := next.Namespace + "/" + next.Name
	kind := watch.Added
	if _, known := p.current[key]; known {
		kind = watch.Modified
	}
	p.current[key] = &next
	p.log = append(p.log, watch.Event{Type: kind, Object: &next})
	close(p.more)
	p.more = make(chan struct{})
}

// list is every present pod that wanted picks, and the resource version.
func (p *pods) list(wanted func(*corev1.Pod) bool) (items []*corev1.Pod, version int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, pod := range p.current {
		if wanted(pod) {
			items = append(items, pod)
		}
	}
	return items, len(p.log)
}

// since is what happened after version, and a channel that closes when there is
// more.
func (p *pods) since(version int) (events []watch.Event, more <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log[min(version, len(p.log)):], p.more
}
