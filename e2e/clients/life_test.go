package clients

import (
	"flag"
	"regexp"
	"strings"
	"testing"
)

// life is one process of a client and the cases that it goes through, one after the
// other; each leaves it as it found it. Starting a process is what costs most.
type life struct {
	start func(*testing.T, client) *rig
	steps []step
}

// step is one case.
type step struct {
	name  string // in the names of tests
	title string // what happens, for docs/compatibility.md
	run   func(*testing.T, *rig)
}

// lives are all cases, in the order in which a client goes through them.
var lives = []life{
	{start: startOrdinary, steps: []step{
		{"Registered", "It is listed with its id, address, ports, metadata, URLs and status.", expectRegistered},
		{"Heartbeats", "Its heartbeats keep its lease, and undo nothing that was changed at the server.", expectHeartbeats},
		{"Discovery", "It discovers a service, and its end, within two fetch intervals.", expectDiscovery},
		{"Override", "An instance that is taken out of service leaves its load balancing, and comes back.", expectOverride},
		{"Metadata", "It sees that metadata of an instance changed.", expectMetadata},
		{"OwnOverride", "Taken out of service itself, it stays so through its heartbeats, and comes back.", expectOwnOverride},
		{"OwnMetadata", "Metadata that it changes of itself is listed.", expectOwnMetadata},
		{"OwnStatus", "A status that it reports is listed.", expectOwnStatus},
		{"Churn", "It follows 200 changes by deltas alone, and ends with the right list.", expectChurn},
		{"BriefInstance", "An instance that comes and goes between two reads, in a new application, costs no full read.", expectBriefInstance},
		{"Gzip", "It asks for gzip, is given it and decodes it.", expectGzip},
		{"Restart", "At a server that was killed and knows nothing it is registered again within three heartbeats.", expectRestart},
		{"Stop", "Stopped, it is gone at once.", expectStop},
	}},
	{start: startWithFallback, steps: []step{
		{"Credentials", "It sends the credentials of its service URL, in reads and writes.", expectCredentials},
		{"Unavailable", "While its servers answer 503 it keeps its list, and it recovers.", expectUnavailable},
		{"SecondServiceURL", "While one of its service URLs answers 503 it uses the other.", expectSecondServiceURL},
		{"Hang", "While its servers take requests and never answer it keeps its list, and once they are killed and started again it recovers.", expectHang},
	}},
	{start: startWithOneVIP, steps: []step{
		{"SingleVIP", "It reads the instances of one VIP and nothing else.", expectSingleVIP},
		{"Kill", "Killed, it is gone when its lease is over.", expectKill},
	}},
	{start: startConsumer, steps: []step{
		{"Rollout", "Without registering, it calls pods while their Deployment rolls, and no call fails. Pods that are to stop serve for one read more.", expectRollout},
	}},
	{start: startCompact, steps: []step{
		{"Compact", "It asks for compact answers, is given them and discovers by them.", expectCompact},
	}},
}

// run starts a process, unless the client can go through none of its cases, and
// goes through the cases.
func (l life) run(t *testing.T, c client, results *results) {
	var r *rig
	for _, step := range l.steps {
		if !c.can(step.name) {
			results.skipped(c, step)
			continue
		}
		if !selected(step.name) {
			continue
		}
		if r == nil {
			r = l.start(t, c)
		}
		t.Run(step.name, func(t *testing.T) {
			defer results.record(t, c, step)
			defer r.application.expectQuiet(t, step.name)
			defer r.expectAnswered(t)
			step.run(t, r)
		})
	}
	if r != nil {
		r.end(t) // and leave the machine to the next
	}
}

// selected reports whether -run wants the case: a process for cases that nobody wants
// would cost more than the others.
func selected(name string) bool {
	elements := strings.Split(flag.Lookup("test.run").Value.String(), "/")
	if len(elements) < 3 {
		return true
	}
	wanted, err := regexp.MatchString(elements[2], name)
	return err == nil && wanted
}
