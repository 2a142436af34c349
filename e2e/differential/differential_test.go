package differential

import (
	"flag"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eurekube/eurekube/e2e/address"
	"github.com/eurekube/eurekube/e2e/binaries"
	"github.com/eurekube/eurekube/e2e/process"
	"github.com/eurekube/eurekube/e2e/springserver"
)

var (
	seed  = flag.Uint64("seed", 1, "the seed of the first random sequence")
	steps = flag.Int("steps", defaultSteps, "how many random steps in all")
)

// defaultSteps are those of CI, by release.
const defaultSteps = 2000

// startTime is how long the product may take to start on a busy machine.
const startTime = 2 * time.Minute

// length is how many steps a random sequence has: few enough to be over before
// deltas forget and leases end.
const length = 250

// reported is after how many sequences a run says how far it came.
const reported = 32

func start(t *testing.T, release springserver.Release) *rig {
	t.Helper()
	jar, err := release.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	spring, err := springserver.Start(t.Context(), springserver.Config{Jar: jar, LogPath: filepath.Join(t.TempDir(), "spring.log")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := spring.Kill(); err != nil {
			t.Error(err)
		}
	})
	allowed, err := newAllowances(wanted, "../../docs/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	g := &rig{spring: &server{address: spring.Address()}, ours: &server{address: startEurekube(t)}, allowed: allowed}
	t.Cleanup(g.spring.close)
	t.Cleanup(g.ours.close)
	if err := g.prepare(); err != nil {
		t.Fatal(err)
	}
	return g
}

// startEurekube starts the product without any pods and returns its address.
func startEurekube(t *testing.T) string {
	t.Helper()
	program, err := binaries.Eurekube(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	listen, err := address.Free("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"serve", "--manifests=" + t.TempDir(), "--listen=" + listen, "--admin-listen=127.0.0.1:0"}
	child, err := process.Start("eurekube", filepath.Join(t.TempDir(), "eurekube.log"), program, args, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := child.Kill(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("the end of eurekube's log:\n%s", child.LogTail(20))
		}
	})
	deadline := time.After(startTime)
	for {
		response, err := http.Get("http://" + listen + "/eureka/apps")
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return listen
			}
		}
		select {
		case <-child.Ended():
			t.Fatal("eurekube ended")
		case <-deadline:
			t.Fatalf("eurekube does not answer: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// TestServersAgree plays all sequences on each release of Spring's server, those
// written by hand last: after some of them Spring's server answers XML that no
// parser reads, for as long as its deltas remember.
func TestServersAgree(t *testing.T) {
	for _, release := range []springserver.Release{springserver.Boot3, springserver.Boot4} {
		t.Run(string(release), func(t *testing.T) {
			t.Parallel()
			g := start(t, release)
			t.Run("random", func(t *testing.T) {
				for s := *seed; s < *seed+uint64(*steps/length) && (!t.Failed() || *steps > defaultSteps); s++ {
					g.run(t, fmt.Sprintf("seed %d", s), sequence(s, length))
					if played := s - *seed + 1; played%reported == 0 {
						t.Logf("%d steps played, to seed %d", played*length, s)
					}
				}
			})
			for _, sequence := range written() {
				t.Run(sequence.name, func(t *testing.T) { g.run(t, sequence.name, sequence.requests) })
			}
			if t.Failed() || !complete() {
				return
			}
			for _, unused := range g.allowed.unused(release) {
				t.Errorf("no answer differs by %s", unused)
			}
		})
	}
}

// complete reports whether all sequences that CI plays were played.
func complete() bool {
	return !strings.Contains(flag.Lookup("test.run").Value.String(), "/") && *seed == 1 && *steps >= defaultSteps
}

// run plays a sequence and fails the test with the shortest one that was found
// when the servers differ.
func (g *rig) run(t *testing.T, name string, requests []request) {
	t.Helper()
	f, err := g.play(requests)
	if err != nil {
		t.Fatal(err)
	}
	if f == nil {
		return
	}
	t.Errorf("%s, step %d: %s\n%s", name, f.step, f.text, f.evidence)
	short, err := shortest(requests[:f.step+1], func(fewer []request) (bool, error) {
		again, err := g.play(fewer)
		return again != nil && again.text == f.text, err
	})
	if err != nil {
		t.Error(err)
	}
	var lines []string
	for _, r := range short {
		lines = append(lines, r.String())
	}
	t.Logf("the shortest sequence found, %d steps:\n%s", len(short), strings.Join(lines, "\n"))
}
