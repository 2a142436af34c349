package charttest

import (
	"debug/elf"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/patternmatcher"
	"github.com/moby/patternmatcher/ignorefile"
)

const (
	imageUser    = 65532
	imageVersion = "v1.2.3-charttest"
)

// image is a directory that holds what the Dockerfile adds to its base, and
// nothing of the base: less than the real image, so what runs here runs there.
var image = sync.OnceValues(func() (string, error) {
	return os.MkdirTemp("", "eurekube-image")
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := image(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// build runs the Dockerfile's own build line on what .dockerignore lets through.
func build(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the image is for Linux")
	}
	dir, err := image()
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "eurekube")
	if _, err := os.Stat(binary); err == nil {
		return dir
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	runs := commands[*instructions.RunCommand](stages(t)[0])
	line := runs[len(runs)-1].CmdLine[0]
	if !strings.Contains(line, " -o /out/eurekube ") {
		t.Fatalf("the last line of the build stage does not build /out/eurekube: %s", line)
	}
	cmd := exec.Command("sh", "-c", strings.Replace(line, "/out/eurekube", binary, 1))
	cmd.Dir = buildContext(t)
	cmd.Env = append(os.Environ(), "VERSION="+imageVersion, "TARGETOS=linux", "TARGETARCH="+runtime.GOARCH)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return dir
}

// buildContext is a copy of what a container builder would send.
func buildContext(t *testing.T) string {
	t.Helper()
	list, err := os.Open(repository + "/.dockerignore")
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	patterns, err := ignorefile.ReadAll(list)
	if err != nil {
		t.Fatal(err)
	}
	ignored, err := patternmatcher.New(patterns)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	checkout := os.DirFS(repository)
	err = fs.WalkDir(checkout, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		skip, err := ignored.MatchesOrParentMatches(path)
		switch {
		case err != nil:
			return err
		case skip && entry.IsDir():
			return fs.SkipDir
		case skip:
			return nil
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(dir, path), 0o755)
		}
		text, err := fs.ReadFile(checkout, path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, path), text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// inImage prepares a run as the image's user with dir as the root directory.
// Root changes root itself; anybody else does so in a user namespace, where the
// system permits one.
func inImage(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("/eurekube", args...)
	cmd.Dir = "/"
	cmd.Env = []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: dir}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: imageUser, Gid: imageUser}
		return cmd
	}
	if err := exec.Command("unshare", "--user", "true").Run(); err != nil {
		t.Skipf("changing the root directory needs root or user namespaces, which this system refuses: %v", err)
	}
	cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
	cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: imageUser, HostID: os.Getuid(), Size: 1}}
	cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: imageUser, HostID: os.Getgid(), Size: 1}}
	return cmd
}

func TestBinaryIsStatic(t *testing.T) {
	file, err := elf.Open(filepath.Join(build(t), "eurekube"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, part := range file.Progs {
		if part.Type == elf.PT_INTERP {
			t.Error("the binary asks for a dynamic linker")
		}
	}
	if libraries, _ := file.ImportedLibraries(); len(libraries) > 0 {
		t.Errorf("the binary needs the libraries %q", libraries)
	}
}

func TestBinaryRunsInAnEmptyRootAsNobody(t *testing.T) {
	out, err := inImage(t, build(t), "version").CombinedOutput()
	if err != nil {
		t.Fatalf("eurekube version: %v\n%s", err, out)
	}
	if !strings.Contains(string(out), imageVersion) {
		t.Errorf("eurekube version prints %q, want the version %s that the build was given", out, imageVersion)
	}
}
