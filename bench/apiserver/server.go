package apiserver

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// Server is an http.Handler that any number of goroutines may use at once. Serve
// it with the server of net/http/httptest.
type Server struct {
	pods *pods
}

// New returns a server without pods.
func New() *Server {
	return &Server{pods: newPods()}
}

// Set creates pod or makes it the present one of its name, and hands the event
// to all watches. Labels must stay as they were. The pod is the server's from
// then on.
func (s *Server) Set(pod *corev1.Pod) {
	s.pods.set(pod)
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	respond := newResponse(w, r)
	if r.URL.Path != "/api/v1/pods" || r.Method != http.MethodGet {
		resource := corev1.Resource(r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:])
		respond.error(apierrors.NewForbidden(resource, "", fmt.Errorf("only pods are served")))
		return
	}
	var options metav1.ListOptions
	if err := scheme.ParameterCodec.DecodeParameters(r.URL.Query(), corev1.SchemeGroupVersion, &options); err != nil {
		respond.error(apierrors.NewBadRequest(err.Error()))
		return
	}
	selector, err := labels.Parse(options.LabelSelector)
	if err != nil {
		respond.error(apierrors.NewBadRequest(err.Error()))
		return
	}
	wanted := func(pod *corev1.Pod) bool { return selector.Matches(labels.Set(pod.Labels)) }
	if options.Watch {
		s.watch(r.Context(), respond, options, wanted)
		return
	}
	s.list(respond, wanted)
}

// list answers every pod at once.
func (s *Server) list(respond *response, wanted func(*corev1.Pod) bool) {
	items, version := s.pods.list(wanted)
	list := &corev1.PodList{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodList"},
		ListMeta: metav1.ListMeta{ResourceVersion: strconv.Itoa(version)},
	}
	for _, pod := range items {
		list.Items = append(list.Items, *pod)
	}
	respond.object(http.StatusOK, list)
}

// WriteKubeconfig writes a kubeconfig file for a server at url.
func WriteKubeconfig(file, url string) error {
	config := clientcmdapi.NewConfig()
	config.Clusters["bench"] = &clientcmdapi.Cluster{Server: url}
	config.Contexts["bench"] = &clientcmdapi.Context{Cluster: "bench"}
	config.CurrentContext = "bench"
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		return fmt.Errorf("write kubeconfig: %w", err)
	}
	return os.Chmod(file, 0o600)
}
