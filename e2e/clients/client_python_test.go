package clients

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/eurekube/eurekube/e2e/binaries"
)

// python is py-eureka-client.
var python = []client{{
	name: "python", title: "Python, py-eureka-client", version: "0.13.3",
	command: pythonCommand, registered: pythonListing, says: pythonLog,
	blocks: true,
	faults: []string{
		"when no server has answered and one comes back between its heartbeat and its read, and lists a new application, it waits for its own lock for ever; the cases bring servers back after a read",
		"it reads the whole registry once for each new application",
	},
	cannot: map[string]string{
		"OwnMetadata": "has no call for it once it has started",
		"SingleVIP":   noVIPs,
		"Compact":     notCompact,
	},
}}

func pythonListing(a *application, want *instance) {
	plainListing(a, want)
	want.Metadata["management.port"] = fmt.Sprint(a.port)
	want.Metadata["zone"] = "default"
}

const (
	// pythonRefused is what the client says of a heartbeat that is answered 404, and
	// pythonRegistersAgain what follows.
	pythonRefused        = `(?s)is down, use next url to try.*404 Not Found`
	pythonRegistersAgain = `Cannot send heartbeat to server, try to register`
	// pythonFailures follow a request that failed.
	pythonFailures = pythonRegistersAgain + `|is down, use next url to try|Register error! Will try in next heartbeat|` +
		`fetch delta from eureka server error|pull full registry from eureka server error|try eureka servers in zone`
)

// pythonLog is what the client says when a server without fault does what the case
// is about.
var pythonLog = map[string][]expectation{
	"OwnOverride": {expects(pythonRefused, forgotten), allows(pythonRegistersAgain, forgotten)},
	// It registers again before it has asked whether it has to.
	"Restart":          {expects(pythonFailures, noServer)},
	"Unavailable":      {expects(pythonFailures, unavailable)},
	"SecondServiceURL": {expects(pythonFailures, unavailable)},
	"Hang":             {expects(pythonFailures, hangs)},
}

func pythonCommand(t *testing.T, s settings) command {
	t.Helper()
	dir, interpreter, err := binaries.PythonProject(t.Context(), "clients/python")
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{filepath.Join(dir, "main.py")}, s.arguments()...)
	return command{path: interpreter, args: args}
}
