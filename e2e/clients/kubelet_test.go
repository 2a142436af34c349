package clients

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

// kubelet runs the pods of a namespace: each gets an address of loopback, on which a
// provider answers with the pod's name. A pod that is to stop answers until the
// client has read once more that has not begun before, ends the call that it may be
// in, and then refuses connections.
type kubelet struct {
	client    kubernetes.Interface
	namespace string
	port      int          // of all pods
	reads     func() int   // how many times the client has read
	calls     atomic.Int64 // how many calls of the client have ended, one after the other

	running map[types.UID]*container

	cancel context.CancelFunc
	ended  chan error // what run has returned
}

type container struct {
	host    string
	server  *http.Server
	leaveAt int   // reads; 0: it is not to stop
	endAt   int64 // calls; 0: it waits for reads
}

// lastHost numbers the addresses of pods, which no two pods of a run share.
var lastHost atomic.Int32

// start starts to run pods. It goes on until end.
func (k *kubelet) start(ctx context.Context) {
	ctx, k.cancel = context.WithCancel(ctx)
	k.running, k.ended = map[types.UID]*container{}, make(chan error, 1)
	go func() {
		defer close(k.ended)
		k.ended <- k.run(ctx)
	}()
}

// end returns when no pod runs any more, with the error that stopped the kubelet
// before. It may be called again.
func (k *kubelet) end() error {
	k.cancel()
	return <-k.ended
}

// run runs pods until ctx ends, and returns when none runs.
func (k *kubelet) run(ctx context.Context) error {
	defer func() {
		for _, c := range k.running {
			c.server.Close()
		}
	}()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		if err := k.sync(ctx); err != nil && ctx.Err() == nil {
			return err
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// sync does what is to be done now.
func (k *kubelet) sync(ctx context.Context) error {
	pods, err := k.client.CoreV1().Pods(k.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("list pods: %w", err)
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		c := k.running[pod.UID]
		switch {
		case pod.DeletionTimestamp == nil && c == nil:
			err = k.startPod(ctx, pod)
		case pod.DeletionTimestamp == nil || c == nil:
		case c.leaveAt == 0:
			// The read under way may have begun before, the next one has not, and the end
			// of the one after that shows that what it said is taken in.
			c.leaveAt = k.reads() + 3
		case c.endAt == 0 && k.reads() >= c.leaveAt:
			c.endAt = k.calls.Load() + 1
		case c.endAt > 0 && k.calls.Load() >= c.endAt:
			err = k.stopPod(ctx, pod, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (k *kubelet) startPod(ctx context.Context, pod *corev1.Pod) error {
	n := lastHost.Add(1)
	host := fmt.Sprintf("127.2.%d.%d", n/250, 1+n%250)
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(k.port)))
	if err != nil {
		return fmt.Errorf("run pod %s: %w", pod.Name, err)
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, pod.Name) })}
	// That a provider ends before its time shows in the calls.
	go func() { _ = server.Serve(listener) }()
	k.running[pod.UID] = &container{host: host, server: server}
	return reportPod(ctx, k.client, pod, host, true)
}

func (k *kubelet) stopPod(ctx context.Context, pod *corev1.Pod, c *container) error {
	delete(k.running, pod.UID)
	return errors.Join(c.server.Close(), removePod(ctx, k.client, pod, 0))
}
