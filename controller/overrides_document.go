package controller

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/eureka"
)

// overridesKey is the entry of the ConfigMap: one JSON object from
// namespace/name/uid to status. Keys of data may hold no slash and are too short
// for the three, and one document can be read and edited with kubectl.
const overridesKey = "overrides.json"

// maxDocument is the size in bytes to which the document may grow, some thousands
// of overrides. The API server takes 1 MiB, and sends it whole at each change.
const maxDocument = 512 << 10

// fieldManager names us where the API server records who wrote what.
const fieldManager = "eurekube"

// overridesError says that the document cannot be read or must not be written, for
// a reason that the API server is not to blame for.
type overridesError struct{ problem string }

func (e *overridesError) Error() string { return overridesKey + ": " + e.problem }

// keptIn are the overrides in found; ok is false when there is no document. One
// that cannot be read is an error and left alone: to take it for empty would put
// every instance back that is out of service.
func keptIn(found *corev1.ConfigMap) (kept map[string]eureka.Status, ok bool, err error) {
	if found == nil {
		return nil, false, nil
	}
	text, ok := found.Data[overridesKey]
	if !ok {
		return nil, false, nil
	}
	var words map[string]string
	if err := json.Unmarshal([]byte(text), &words); err != nil {
		return nil, false, &overridesError{err.Error()}
	}
	kept = make(map[string]eureka.Status, len(words))
	for podKey, word := range words {
		status, known := eureka.ParseStatus(word)
		if !known {
			return nil, false, &overridesError{fmt.Sprintf("%q of %q is no status", word, podKey)}
		}
		kept[podKey] = status
	}
	return kept, true, nil
}

// write makes all the content of the ConfigMap, which was found as it is, or was
// not found. It fails with a conflict if somebody wrote since.
func (o *overrides) write(ctx context.Context, found *corev1.ConfigMap, all map[string]eureka.Status) error {
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	if len(text) > maxDocument {
		return &overridesError{fmt.Sprintf("%d overrides take %d bytes, more than the %d that are kept", len(all), len(text), maxDocument)}
	}
	if found == nil {
		_, err = o.client.Create(ctx, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: o.name.Namespace,
				Name:      o.name.Name,
				Labels:    map[string]string{"app.kubernetes.io/managed-by": fieldManager},
			},
			Data: map[string]string{overridesKey: string(text)},
		}, metav1.CreateOptions{FieldManager: fieldManager})
		return err
	}
	next := found.DeepCopy()
	next.Data = maps.Clone(found.Data)
	if next.Data == nil {
		next.Data = make(map[string]string, 1)
	}
	next.Data[overridesKey] = string(text)
	_, err = o.client.Update(ctx, next, metav1.UpdateOptions{FieldManager: fieldManager})
	return err
}
