package clients

import (
	"testing"

	"github.com/eurekube/eurekube/e2e/binaries"
)

// goClients are hudl/fargo, which has requests and no copy of the registry, and what
// a Prometheus server discovers by.
var goClients = []client{
	{
		name: "fargo-xml", title: "Go, hudl/fargo in XML", version: "v1.4.0",
		command: goCommand("fargo"), registered: plainListing, cannot: fargoCannot, says: fargoLog,
		requests: fargoRequests,
	},
	{
		name: "fargo-json", title: "Go, hudl/fargo in JSON", version: "v1.4.0",
		command: goCommand("fargo", "--json"), registered: plainListing, cannot: fargoCannot, says: fargoLog,
		requests: fargoRequests,
	},
	{
		name: "prometheus", title: "Prometheus, `discovery/eureka`", version: "v0.316.0",
		command: goCommand("prometheus"), cannot: prometheusCannot, says: prometheusLog,
	},
}

var fargoCannot = map[string]string{
	"Churn":            "reads applications as a whole each time",
	"BriefInstance":    "reads applications as a whole each time",
	"Unavailable":      "forgets an application when a read of it fails",
	"Hang":             "forgets an application when a read of it fails",
	"SecondServiceURL": "asks one of its service URLs, at random, and no other when that fails",
	"Compact":          notCompact,
}

// fargoRequests: the program lists the applications and has two copies of each.
const fargoRequests = 3

// fargoRefused is what the library says of a heartbeat that is answered 404.
const fargoRefused = `fargo: Sending heartbeat for Instance=\S+ App=\S+ returned code 404`

// fargoLog is what the library says when a server without fault does what the case
// is about.
var fargoLog = map[string][]expectation{
	"":            {allows(`fargo: App \S+ not found \(received 404\)`, "it asks again for an application that has left")},
	"OwnOverride": {expects(fargoRefused, forgotten)},
	"Restart": {
		expects(fargoRefused, "the new server has no lease of it"),
		allows(`fargo: (Could not complete GET|Couldn't get apps?|Error sending heartbeat)`, noServer),
	},
}

const (
	neverRegisters = "never registers"
	failedRefresh  = "Unable to refresh target groups"
)

var prometheusCannot = map[string]string{
	"Registered":       neverRegisters,
	"Heartbeats":       neverRegisters,
	"OwnOverride":      neverRegisters,
	"OwnMetadata":      neverRegisters,
	"OwnStatus":        neverRegisters,
	"Stop":             neverRegisters,
	"Kill":             neverRegisters,
	"Churn":            readsAll,
	"BriefInstance":    readsAll,
	"Gzip":             "does not ask for it",
	"SecondServiceURL": "has one service URL",
	"SingleVIP":        noVIPs,
	"Compact":          notCompact,
}

var prometheusLog = map[string][]expectation{
	"Restart":     {expects(failedRefresh, noServer)},
	"Unavailable": {expects(failedRefresh, unavailable)},
	"Hang":        {allows(failedRefresh, hangs)}, // it may repeat the read, and say nothing
}

func goCommand(program string, more ...string) func(*testing.T, settings) command {
	return func(t *testing.T, s settings) command {
		t.Helper()
		path, err := binaries.GoClient(t.Context(), program)
		if err != nil {
			t.Fatal(err)
		}
		arguments := s.arguments(more...)
		if s.vip != "" {
			arguments = append(arguments, "--vip="+s.vip)
		}
		return command{path: path, args: arguments}
	}
}
