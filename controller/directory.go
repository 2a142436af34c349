package controller

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// scanInterval is how often the directory is looked at. A change must be seen
// by two looks, so it is taken over within half a second. Looking works on
// every file system; notifications do not cross network mounts.
const scanInterval = 250 * time.Millisecond

// manifestExtensions are the files that are read; others belong to editors.
var manifestExtensions = []string{".yaml", ".yml", ".json"}

// directory is a source of pods: the manifests in a directory, without its
// subdirectories and without names that begin with a dot, among which are the
// inner links of a mounted ConfigMap.
type directory struct {
	path         string
	prefixes     []string
	namespaces   []string // empty for all
	problemCount prometheus.Gauge

	view atomic.Pointer[view]

	// The goroutine in run alone uses what follows.
	files    map[string]*manifestFile
	problems map[problem]bool // of the latest view
	lost     bool             // the directory could not be read
}

// view is the pods of the directory at one time. It is never changed.
type view struct {
	version  uint64 // 0 before the directory was read
	pods     map[cache.ObjectName]*corev1.Pod
	files    map[cache.ObjectName]string // where the pods are
	replaced chan struct{}               // closed when there is a newer view
}

func newDirectory(path string, prefixes, namespaces []string, problemCount prometheus.Gauge) *directory {
	d := &directory{
		path:         path,
		prefixes:     prefixes,
		namespaces:   namespaces,
		problemCount: problemCount,
		files:        make(map[string]*manifestFile),
	}
	d.view.Store(&view{replaced: make(chan struct{})})
	return d
}

// run looks at the directory until ctx is done.
func (d *directory) run(ctx context.Context) {
	ticker := time.NewTicker(scanInterval)
	defer ticker.Stop()
	for {
		d.scan(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// scan takes over what changed. While the directory cannot be read its last
// content stays; before it was read once there is none, not even an empty one.
func (d *directory) scan(ctx context.Context) {
	found, err := d.list()
	switch logger := klog.FromContext(ctx); {
	case err != nil:
		if !d.lost {
			logger.Error(err, "Manifest directory could not be read, its last content stays", "directory", d.path)
		}
		d.lost = true
		return
	case d.lost:
		logger.Info("Manifest directory was read again", "directory", d.path)
		d.lost = false
	}
	first := d.view.Load().version == 0
	changed := first
	for name, info := range found {
		f := d.files[name]
		if f == nil {
			f = &manifestFile{name: name}
			d.files[name] = f
		}
		if f.look(info, first) {
			f.read(d.path, d.prefixes)
			changed = true
		}
	}
	for name, f := range d.files {
		if _, ok := found[name]; !ok && f.vanished() {
			delete(d.files, name)
			changed = true
		}
	}
	if changed {
		d.merge(ctx)
	}
}

// list is the manifests that are there now, links followed.
func (d *directory) list() (map[string]fs.FileInfo, error) {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return nil, err
	}
	found := make(map[string]fs.FileInfo)
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasPrefix(name, ".") || !slices.Contains(manifestExtensions, strings.ToLower(filepath.Ext(name))) {
			continue
		}
		info, err := os.Stat(filepath.Join(d.path, name))
		if err != nil || info.IsDir() {
			continue // a link to nowhere counts as a removed file
		}
		found[name] = info
	}
	return found, nil
}

// merge makes a new view of all files. Of two pods with one name the one in
// the file whose name sorts first is taken, so that every replica takes the
// same.
func (d *directory) merge(ctx context.Context) {
	old := d.view.Load()
	next := &view{
		version:  old.version + 1,
		pods:     make(map[cache.ObjectName]*corev1.Pod),
		files:    make(map[cache.ObjectName]string),
		replaced: make(chan struct{}),
	}
	var problems []problem
	for _, name := range slices.Sorted(maps.Keys(d.files)) {
		f := d.files[name]
		found := f.problems
		for _, m := range f.pods {
			key := cache.MetaObjectToName(m.pod)
			switch first, taken := next.files[key]; {
			case taken:
				found.add(f.problem(m.document, effectSkipped, "pod "+key.String()+" is in "+first+" already"))
			case len(d.namespaces) > 0 && !slices.Contains(d.namespaces, key.Namespace):
				found.add(f.problem(m.document, effectSkipped, "namespace "+key.Namespace+" is none of those that are watched"))
			default:
				next.files[key] = name
				next.pods[key] = m.pod
			}
		}
		problems = append(problems, f.told(found)...)
	}
	d.tell(ctx, problems)
	d.view.Store(next)
	close(old.replaced)
}

// tell logs the problems that are new.
func (d *directory) tell(ctx context.Context, problems []problem) {
	logger := klog.FromContext(ctx)
	now := make(map[problem]bool, len(problems))
	for _, p := range problems {
		if !d.problems[p] && !now[p] {
			where := []any{"file", filepath.Join(d.path, p.file)}
			if p.document > 0 {
				where = append(where, "document", p.document)
			}
			logger.Error(errors.New(p.cause), "Manifest has a problem", append(where, "effect", p.effect)...)
		}
		now[p] = true
	}
	if len(d.problems) > 0 && len(now) == 0 {
		logger.Info("Manifests have no problems any more", "directory", d.path)
	}
	d.problems = now
	d.problemCount.Set(float64(len(now)))
}
