package apiserver

import (
	"fmt"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
)

// response writes objects in the form that the client asked for.
type response struct {
	http.ResponseWriter
	form runtime.SerializerInfo
}

// newResponse picks the first form of the Accept header that is known: the order
// is the client's preference. Without any it is JSON.
func newResponse(w http.ResponseWriter, r *http.Request) *response {
	known := scheme.Codecs.SupportedMediaTypes()
	for accepted := range strings.SplitSeq(r.Header.Get("Accept"), ",") {
		mediaType, _, _ := strings.Cut(strings.TrimSpace(accepted), ";")
		if form, ok := runtime.SerializerInfoForMediaType(known, mediaType); ok && form.StreamSerializer != nil {
			return &response{w, form}
		}
	}
	form, _ := runtime.SerializerInfoForMediaType(known, runtime.ContentTypeJSON)
	return &response{w, form}
}

// object answers with one object, whose type must be set.
func (r *response) object(status int, obj runtime.Object) {
	r.Header().Set("Content-Type", r.form.MediaType)
	r.WriteHeader(status)
	_ = r.form.Serializer.Encode(obj, r.ResponseWriter) // fails only when the client is gone
}

// error answers with a status object.
func (r *response) error(err *apierrors.StatusError) {
	status := err.Status()
	status.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	r.object(int(status.Code), &status)
}

// events answers with a stream, and returns what writes its events.
func (r *response) events() func(watch.Event) error {
	r.Header().Set("Content-Type", r.form.MediaType+";stream=watch")
	r.WriteHeader(http.StatusOK)
	frames := r.form.StreamSerializer.Framer.NewFrameWriter(r.ResponseWriter)
	stream := streaming.NewEncoder(frames, r.form.StreamSerializer.Serializer)
	return func(event watch.Event) error {
		object, err := runtime.Encode(r.form.Serializer, event.Object)
		if err != nil {
			return fmt.Errorf("encode event: %w", err)
		}
		return stream.Encode(&metav1.WatchEvent{Type: string(event.Type), Object: runtime.RawExtension{Raw: object}})
	}
}

// flush sends what was written so far.
func (r *response) flush() error {
	return http.NewResponseController(r.ResponseWriter).Flush()
}
