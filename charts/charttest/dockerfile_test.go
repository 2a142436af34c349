package charttest

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// repository is the root of the checkout, which is also the build context.
const repository = "../.."

// stages reads the Dockerfile as BuildKit does; what BuildKit warns of fails.
func stages(t *testing.T) []instructions.Stage {
	t.Helper()
	file, err := os.Open(repository + "/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	parsed, err := parser.Parse(file)
	if err != nil {
		t.Fatalf("parse Dockerfile: %v", err)
	}
	for _, warning := range parsed.Warnings {
		t.Errorf("Dockerfile: %s", warning.Short)
	}
	warn := func(rule, _, _, message string, _ []parser.Range) { t.Errorf("Dockerfile: %s: %s", rule, message) }
	all, _, err := instructions.Parse(parsed.AST, linter.New(&linter.Config{Warn: warn}))
	if err != nil {
		t.Fatalf("parse Dockerfile: %v", err)
	}
	return all
}

// commands returns the stage's instructions of one type.
func commands[T instructions.Command](stage instructions.Stage) []T {
	var all []T
	for _, command := range stage.Commands {
		if typed, ok := command.(T); ok {
			all = append(all, typed)
		}
	}
	return all
}

// last returns the stage that becomes the image.
func last(t *testing.T) instructions.Stage {
	t.Helper()
	all := stages(t)
	return all[len(all)-1]
}

func TestImageHoldsTheBinaryOnly(t *testing.T) {
	stage := last(t)
	if want := "gcr.io/distroless/static-debian12:nonroot"; stage.BaseName != want {
		t.Errorf("base = %s, want %s: without a shell, and without a C library, which a static binary needs none of", stage.BaseName, want)
	}
	if runs := commands[*instructions.RunCommand](stage); len(runs) > 0 {
		t.Errorf("the image runs %v while it is built; it has no shell", runs)
	}
	copies := commands[*instructions.CopyCommand](stage)
	if len(copies) != 1 || copies[0].From != "build" || copies[0].DestPath != "/eurekube" {
		t.Errorf("copies = %v, want the binary from the stage build alone", copies)
	}
}

// The kubelet holds runAsNonRoot against the image's user and can do so only
// with a number: the chart names no user.
func TestImageUserIsANumberAndNotRoot(t *testing.T) {
	users := commands[*instructions.UserCommand](last(t))
	if len(users) != 1 {
		t.Fatalf("USER is set %d times, want once", len(users))
	}
	user, _, _ := strings.Cut(users[0].User, ":")
	if id, err := strconv.Atoi(user); err != nil || id != imageUser {
		t.Errorf("USER = %s, want %d", users[0].User, imageUser)
	}
}

func TestImageStartsTheServerOnTheChartsPorts(t *testing.T) {
	stage := last(t)
	var start []string
	for _, entry := range commands[*instructions.EntrypointCommand](stage) {
		if entry.PrependShell {
			t.Error("ENTRYPOINT needs a shell, which the image lacks")
		}
		start = append(start, entry.CmdLine...)
	}
	for _, arguments := range commands[*instructions.CmdCommand](stage) {
		start = append(start, arguments.CmdLine...)
	}
	if diff := cmp.Diff([]string{"/eurekube", "serve"}, start); diff != "" {
		t.Errorf("start (-want +got):\n%s", diff)
	}
	var exposed, wanted []string
	for _, expose := range commands[*instructions.ExposeCommand](stage) {
		exposed = append(exposed, expose.Ports...)
	}
	for _, port := range container(t, "").Ports {
		wanted = append(wanted, strconv.Itoa(int(port.ContainerPort)))
	}
	slices.Sort(wanted) // as the parser sorts the image's
	if diff := cmp.Diff(wanted, exposed); diff != "" {
		t.Errorf("ports (-chart +image):\n%s", diff)
	}
}

func TestImageIsBuiltByTheReleaseOfGoMod(t *testing.T) {
	text, err := os.ReadFile(repository + "/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	release := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(text)
	if release == nil {
		t.Fatal("go.mod names no release of Go")
	}
	if got, want := stages(t)[0].BaseName, "golang:"+string(release[1]); got != want {
		t.Errorf("the build stage is %s, want %s as go.mod says", got, want)
	}
}
