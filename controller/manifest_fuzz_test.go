package controller

import (
	"io/fs"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/tools/cache"
)

// fileInfo is a file that exists only for its time.
type fileInfo struct{ fs.FileInfo }

func (fileInfo) ModTime() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

func FuzzManifest(f *testing.F) {
	f.Add("a.yaml", []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {eurekube.io/service: web}}\n---\n...\n--- {}\n"))
	f.Add("a.json", []byte(`{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}},null,{"kind":"List","apiVersion":"v1"}]} {}`))
	f.Add("a.yaml", []byte("kind: PodList\napiVersion: v1\nitems: [{}, {metadata: {name: b, lables: {}}}]"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		read := func() ([]manifestPod, problems, error) {
			file := &manifestFile{name: name, taken: fileInfo{}}
			pods, err := file.decode(data, []string{"eurekube.io"})
			return pods, file.problems, err
		}
		pods, noted, err := read()
		if err != nil && len(pods) > 0 {
			t.Errorf("decode() = %d pods and %v, want either", len(pods), err)
		}
		for _, m := range pods {
			key := cache.MetaObjectToName(m.pod)
			if back, err := cache.ParseObjectName(key.String()); err != nil || back != key {
				t.Errorf("a pod named %#v was taken, which no queue can carry", key)
			}
			if m.pod.UID == "" || m.pod.Status.Phase == "" || len(m.pod.Status.Conditions) == 0 {
				t.Errorf("pod %s is incomplete: %v", key, m.pod)
			}
		}
		pods2, noted2, _ := read()
		if diff := cmp.Diff(pods, pods2, cmp.AllowUnexported(manifestPod{})); diff != "" {
			t.Errorf("a second reading differs (-first +second):\n%s", diff)
		}
		if diff := cmp.Diff(noted, noted2, cmp.AllowUnexported(problems{}, problem{})); diff != "" {
			t.Errorf("problems of a second reading differ (-first +second):\n%s", diff)
		}
	})
}
