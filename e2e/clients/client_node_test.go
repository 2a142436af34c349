package clients

import (
	"maps"
	"path/filepath"
	"testing"
	"time"

	"github.com/eurekube/eurekube/e2e/binaries"
)

// node is eureka-js-client, which reads the whole registry each time or deltas.
var node = []client{
	{
		name: "node", title: "Node, eureka-js-client", version: "4.5.0",
		command: nodeCommand(), registered: plainListing, says: nodeLog, patience: nodeRetryDelay,
		cannot: nodeCannot(map[string]string{"Churn": readsAll, "BriefInstance": readsAll}),
	},
	{
		name: "node-deltas", title: "Node, eureka-js-client with `shouldUseDelta`", version: "4.5.0",
		command: nodeCommand("--deltas"), registered: plainListing, says: nodeLog, patience: nodeRetryDelay,
		cannot: nodeCannot(map[string]string{"Override": "goes on returning an instance that a delta says is no longer `UP`; its churn has no such changes"}),
		faults: []string{"where an application has several instances, a delta about one of them replaces or removes the first in the list by application; the lists by VIP, which the cases use, are right"},
	},
}

func nodeCannot(more map[string]string) map[string]string {
	cannot := map[string]string{
		"OwnStatus": "says `UP` whenever it registers, and has no call for another status",
		"SingleVIP": noVIPs,
		"Compact":   notCompact,
	}
	maps.Copy(cannot, more)
	return cannot
}

// nodeRetryDelay is the client's requestRetryDelay, which the program leaves alone.
const nodeRetryDelay = 500 * time.Millisecond

const (
	nodeRegistersAgain = "eureka heartbeat FAILED, Re-registering app"
	// nodeFailures follow a request that failed.
	nodeFailures = `Eureka request failed to endpoint|An error in the request occured|eureka heartbeat FAILED, will retry|Error fetching (delta )?registry`
)

// nodeLog is what the client says when a server without fault does what the case is
// about.
var nodeLog = map[string][]expectation{
	"OwnOverride": {expects(nodeRegistersAgain, forgotten)},
	"Restart": {
		expects(nodeRegistersAgain, "the new server has no lease of it"),
		allows(`Problem making eureka request Error: (connect ECONNREFUSED|read ECONNRESET|socket hang up)`, noServer),
		allows(nodeFailures, noServer),
	},
	"Unavailable": {expects(nodeFailures, unavailable)},
	"Hang": {
		allows(`Problem making eureka request Error: (connect ECONNREFUSED|read ECONNRESET|socket hang up)`, hangs),
		allows(nodeFailures, hangs),
		allows(nodeRegistersAgain, endedMeanwhile),
	},
	"SecondServiceURL": {expects(`Eureka request failed to endpoint`, unavailable), allows(nodeFailures, unavailable)},
}

func nodeCommand(more ...string) func(*testing.T, settings) command {
	return func(t *testing.T, s settings) command {
		t.Helper()
		dir, err := binaries.NodeProject(t.Context(), "clients/node")
		if err != nil {
			t.Fatal(err)
		}
		// Its libraries are of 2018, and newer releases of Node say so on start.
		args := []string{"--no-deprecation", filepath.Join(dir, "main.js")}
		return command{path: "node", args: append(args, s.arguments(more...)...)}
	}
}
