package controller_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/features"
	featurestesting "k8s.io/client-go/features/testing"

	"github.com/eurekube/eurekube/controller"
)

func TestManifests_AreFollowed(t *testing.T) {
	for _, streamed := range []bool{true, false} {
		t.Run(map[bool]string{true: "streamed list", false: "list, then watch"}[streamed], func(t *testing.T) {
			featurestesting.SetFeatureDuringTest(t, features.WatchListClient, streamed)
			inBubble(t, func(t *testing.T, r *rig) {
				dir := t.TempDir()
				write(t, filepath.Join(dir, "a.yaml"), webManifest)
				r.run(t, fromManifests(dir))
				r.wantSynced(t, true)
				r.wantListed(t, "10.1.0.1:web:80 UP")

				write(t, filepath.Join(dir, "b.json"), `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "db", "labels": {"eurekube.io/service": "db", "eurekube.io/port": "5432"}}, "status": {"podIP": "10.1.0.2"}}`)
				time.Sleep(within)
				r.wantListed(t, "10.1.0.1:web:80 UP", "10.1.0.2:db:5432 UP")

				write(t, filepath.Join(dir, "a.yaml"), webManifest+"  phase: Running\n  conditions: [{type: Ready, status: \"False\"}]\n")
				time.Sleep(within)
				r.wantListed(t, "10.1.0.2:db:5432 UP")
				r.wantStates(t, "default/db listed", "default/web not-ready")

				remove(t, filepath.Join(dir, "b.json"))
				time.Sleep(within)
				r.wantListed(t)
				r.wantStates(t, "default/web not-ready")
			})
		})
	}
}

func TestManifests_ABrokenFileKeepsItsLastGoodContent(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		dir := t.TempDir()
		a := filepath.Join(dir, "a.yaml")
		write(t, a, webManifest)
		r.run(t, fromManifests(dir))
		broken := webManifest + "---\nmetadata: [unclosed\n"
		write(t, a, broken)
		time.Sleep(time.Minute)
		r.wantListed(t, "10.1.0.1:web:80 UP")
		write(t, filepath.Join(dir, "other.yaml"), replaceOnce(t, webManifest, "name: web", "name: other"))
		time.Sleep(within)
		r.wantLogged(t, 1, "Manifest has a problem", `a.yaml"`, "document=2", "line 9", "last good content")
		wantErrors(t, r, 1)
		remove(t, filepath.Join(dir, "other.yaml"))
		time.Sleep(within)

		write(t, a, broken+"\n")
		time.Sleep(time.Minute)
		r.wantLogged(t, 2, "Manifest has a problem")

		write(t, a, webManifest+"\n")
		time.Sleep(within)
		wantErrors(t, r, 0)
		remove(t, a)
		time.Sleep(within)
		r.wantListed(t)
	})
}

func wantErrors(t *testing.T, r *rig, want float64) {
	t.Helper()
	synctest.Wait()
	if diff := cmp.Diff(map[string]float64{"": want}, r.metric(t, "eurekube_manifest_errors")); diff != "" {
		t.Errorf("eurekube_manifest_errors differs (-want +got):\n%s", diff)
	}
}

func TestManifests_ConfigMapMountIsSwappedAtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		dir := t.TempDir()
		mount := func(version, web string) {
			t.Helper()
			write(t, filepath.Join(dir, version, "a.yaml"), web)
			write(t, filepath.Join(dir, version, "b.yaml"), replaceOnce(t, replaceOnce(t, webManifest, "name: web", "name: db"), "10.1.0.1", "10.1.0.2")+"  typo: here\n")
			link := filepath.Join(dir, "..data_tmp")
			if err := os.Symlink(version, link); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(link, filepath.Join(dir, "..data")); err != nil {
				t.Fatal(err)
			}
		}
		mount("..v1", webManifest)
		for _, name := range []string{"a.yaml", "b.yaml"} {
			if err := os.Symlink(filepath.Join("..data", name), filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		r.run(t, fromManifests(dir))
		r.wantListed(t, "10.1.0.1:web:80 UP", "10.1.0.2:web:80 UP")

		time.Sleep(time.Minute)
		mount("..v2", replaceOnce(t, webManifest, "10.1.0.1", "10.1.0.3"))
		remove(t, filepath.Join(dir, "..v1"))
		time.Sleep(within)
		r.wantListed(t, "10.1.0.2:web:80 UP", "10.1.0.3:web:80 UP")
		want := []string{"ADDED 10.1.0.2:web:80", "ADDED 10.1.0.3:web:80", "DELETED 10.1.0.1:web:80"}
		if diff := cmp.Diff(want, r.recent["WEB"]); diff != "" {
			t.Errorf("recent changes differ (-want +got):\n%s", diff)
		}
		r.wantLogged(t, 1, "Manifest has a problem", `b.yaml"`, "status.typo") // its content did not change
	})
}

func TestManifests_ALostDirectoryKeepsItsLastContent(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		dir := filepath.Join(t.TempDir(), "pods")
		r.run(t, fromManifests(dir))
		time.Sleep(time.Minute)
		r.wantSynced(t, false)
		r.wantLogged(t, 1, "directory could not be read")

		write(t, filepath.Join(dir, "a.yaml"), webManifest)
		time.Sleep(within)
		r.wantSynced(t, true)
		r.wantListed(t, "10.1.0.1:web:80 UP")

		remove(t, dir)
		time.Sleep(time.Minute)
		r.wantListed(t, "10.1.0.1:web:80 UP")
		r.wantLogged(t, 2, "directory could not be read")
		write(t, filepath.Join(dir, "b.yaml"), replaceOnce(t, webManifest, "10.1.0.1", "10.1.0.2"))
		time.Sleep(within)
		r.wantListed(t, "10.1.0.2:web:80 UP")
	})
}

func TestManifests_BesideAnAPIServer(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "a.yaml"), webManifest)
		write(t, filepath.Join(dir, "b.yaml"), replaceOnce(t, replaceOnce(t, webManifest, "name: web", "name: both"), "10.1.0.1", "10.1.0.2"))
		both := readyPod("default", "both", "web", "10.0.0.1")
		r.create(t, both)
		r.run(t, func(c *controller.Config) { c.Manifests = dir })
		r.wantSynced(t, true)
		r.wantListed(t, "10.0.0.1:web:8080 UP", "10.1.0.1:web:80 UP")
		hidden := func(when string, want ...string) {
			t.Helper()
			var got []string
			for _, w := range r.controller.Pods()[0].Warnings {
				got = append(got, string(w.Reason)+": "+w.Message)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: warnings of default/both (-want +got):\n%s", when, diff)
			}
			if got := r.metric(t, "eurekube_pod_warnings")["manifest-hidden"]; got != float64(len(want)) {
				t.Errorf("%s: eurekube_pod_warnings = %v, want %d", when, got, len(want))
			}
			r.wantLogged(t, 1, "Manifest is not used", "default/both", "b.yaml")
		}
		hidden("in both", "manifest-hidden: the manifest of the same name in b.yaml is not used; the cluster's pod counts")
		r.update(t, edited(both, setReady(corev1.ConditionFalse)))
		r.wantListed(t, "10.1.0.1:web:80 UP")
		hidden("unready", "manifest-hidden: the manifest of the same name in b.yaml is not used; the cluster's pod counts")
		r.delete(t, both)
		r.wantListed(t, "10.1.0.1:web:80 UP", "10.1.0.2:web:80 UP")
		hidden("in the manifest only")
	})
}
