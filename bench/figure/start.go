package figure

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/bench/fleet"
	"github.com/eurekube/eurekube/bench/program"
)

// Start is how long the program takes from exec until it serves, and its
// resident memory after that.
type Start struct {
	// Ready is until the readiness probe succeeds, Served until every pod was in
	// an answer.
	Ready, Served time.Duration
	// AfterStart is right then; AfterReads is after one more read of each answer
	// in JSON and XML, plain and gzip: everything that is kept is there.
	AfterStart, AfterReads program.Memory
}

// MeasureStart measures a start from an API server that has pods.
func MeasureStart(ctx context.Context, binary string, pods int) (Start, error) {
	c, err := startCluster(ctx, binary, pods, 0)
	if err != nil {
		return Start{}, err
	}
	defer c.close()
	return measureStart(ctx, c.Program, pods)
}

// MeasureManifestStart measures a start from a directory of manifests, one file
// for each service.
func MeasureManifestStart(ctx context.Context, binary string, pods int) (Start, error) {
	dir, err := os.MkdirTemp("", "eurekube-bench-")
	if err != nil {
		return Start{}, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory
	if err := writeManifests(dir, pods); err != nil {
		return Start{}, err
	}
	p, err := program.Start(ctx, binary, "--manifests="+dir)
	if err != nil {
		return Start{}, err
	}
	defer p.Stop()
	return measureStart(ctx, p, pods)
}

func writeManifests(dir string, pods int) error {
	for first := 0; first < pods; first += fleet.PerService {
		list := corev1.PodList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "List"}}
		for i := first; i < min(first+fleet.PerService, pods); i++ {
			pod := fleet.Pod(i)
			pod.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}
			list.Items = append(list.Items, *pod)
		}
		text, err := json.Marshal(list)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%06d.json", first)), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func measureStart(ctx context.Context, p *program.Program, pods int) (Start, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	ready, err := p.Await(ctx, p.Admin+"/readyz")
	if err != nil {
		return Start{}, err
	}
	client := newClient(1)
	full := reader{client: client, url: p.API + "/eureka/apps", accept: mediaJSON, gzip: true}
	body, err := full.read(ctx)
	if err != nil {
		return Start{}, err
	}
	s := Start{Ready: ready.Sub(p.Started), Served: time.Since(p.Started)}
	// The first answer is the whole list or the program is wrong.
	ids, err := idsOf(body)
	if err != nil {
		return Start{}, err
	}
	if len(ids) != pods {
		return Start{}, fmt.Errorf("the first answer had %d instances of %d", len(ids), pods)
	}
	if s.AfterStart, err = p.Memory(); err != nil {
		return Start{}, err
	}
	if err := readEverything(ctx, client, p); err != nil {
		return Start{}, err
	}
	s.AfterReads, err = p.Memory()
	return s, err
}

// readEverything reads full list and delta in both media types, plain and gzip.
func readEverything(ctx context.Context, client *http.Client, p *program.Program) error {
	for _, path := range [...]string{"/eureka/apps", "/eureka/apps/delta"} {
		for _, accept := range [...]string{mediaJSON, "application/xml"} {
			for _, zip := range [...]bool{false, true} {
				r := reader{client: client, url: p.API + path, accept: accept, gzip: zip}
				if _, err := r.read(ctx); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
