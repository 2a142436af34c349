package controller_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

func TestManifests_AFileIsNotReadWhileItIsWritten(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		dir := t.TempDir()
		a := filepath.Join(dir, "a.yaml")
		write(t, a, webManifest)
		start := time.Now()
		r.run(t, fromManifests(dir))
		for n := range len(webManifest) {
			write(t, a, webManifest[:n])
			time.Sleep(100 * time.Millisecond)
			r.wantListed(t, "10.1.0.1:web:80 UP")
		}
		write(t, a, webManifest)
		time.Sleep(within)
		r.wantLogged(t, 0, "Manifest has a problem")

		time.Sleep(time.Second - time.Since(start)%time.Second + time.Millisecond)
		before := r.registry.Drain().Version
		remove(t, a) // as an editor saves, seen by one look
		time.Sleep(250 * time.Millisecond)
		write(t, a, webManifest+"# edited\n")
		time.Sleep(within)
		if after := r.registry.Drain().Version; after != before {
			t.Errorf("version = %d after the file was saved, want %d as before", after, before)
		}
		r.wantListed(t, "10.1.0.1:web:80 UP")
	})
}

// What an editor leaves in place may differ in one of these only. A file that was
// made readable has no other size or time.
func TestManifests_AnyDifferenceOfAFileIsAChange(t *testing.T) {
	other := replaceOnce(t, webManifest, "10.1.0.1", "10.1.0.2")
	tests := map[string]func(t *testing.T, path string, modified time.Time){
		"mode": func(t *testing.T, path string, modified time.Time) {
			overwrite(t, path, other, modified)
			if err := os.Chmod(path, 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"time": func(t *testing.T, path string, modified time.Time) {
			overwrite(t, path, other, modified.Add(time.Nanosecond))
		},
		"size": func(t *testing.T, path string, modified time.Time) {
			overwrite(t, path, other+"\n", modified)
		},
		"file": func(t *testing.T, path string, modified time.Time) {
			overwrite(t, path+".new", other, modified)
			if err := os.Rename(path+".new", path); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				path := filepath.Join(t.TempDir(), "a.yaml")
				modified := time.Now()
				write(t, path, webManifest)
				r.run(t, fromManifests(filepath.Dir(path)))
				r.wantListed(t, "10.1.0.1:web:80 UP")
				time.Sleep(time.Minute)
				change(t, path, modified)
				time.Sleep(within)
				r.wantListed(t, "10.1.0.2:web:80 UP")
			})
		})
	}
}

// overwrite writes a file of that age.
func overwrite(t *testing.T, path, content string, modified time.Time) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, modified, modified); err != nil {
		t.Fatal(err)
	}
}

func TestManifests_TimesComeFromThePodOrTheFile(t *testing.T) {
	const dated = "  creationTimestamp: \"1999-01-01T00:00:00Z\"\n"
	born := time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC)
	inBubble(t, func(t *testing.T, r *rig) {
		dir := t.TempDir()
		content := replaceOnce(t, webManifest, "  name: web\n", "  name: web\n"+dated)
		written := time.Now()
		write(t, filepath.Join(dir, "a.yaml"), content)
		r.run(t, fromManifests(dir))
		wantTimes(t, r, born, written)

		time.Sleep(time.Hour)
		write(t, filepath.Join(dir, "a.yaml"), replaceOnce(t, content, `"80"`, `"81"`))
		time.Sleep(within)
		wantTimes(t, r, born, written.Add(time.Hour))

		write(t, filepath.Join(dir, "a.yaml"), webManifest)
		edited := time.Now()
		time.Sleep(within)
		wantTimes(t, r, edited, edited)
	})
}

// wantTimes compares the timestamps of the one instance that changed.
func wantTimes(t *testing.T, r *rig, up, updated time.Time) {
	t.Helper()
	synctest.Wait()
	apps := r.registry.Drain().Apps
	if len(apps) != 1 || len(apps[0].Instances) != 1 {
		t.Fatalf("changed apps = %v, want web with one instance", apps)
	}
	inst := apps[0].Instances[0]
	if got := time.UnixMilli(inst.Lease.ServiceUpTimestamp); !got.Equal(up) {
		t.Errorf("up since %v, want %v", got, up)
	}
	if got := time.UnixMilli(inst.LastDirtyTimestamp); !got.Equal(updated) {
		t.Errorf("last changed %v, want %v", got, updated)
	}
}
