package clients

import (
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// client is a real client of Eureka, in a program that serves the control API (see
// README.md).
type client struct {
	name    string // in the names of tests, such as "spring-boot-4-webclient"
	title   string // what its users call it
	version string // of the library, and of what it is used with

	// command says how its program is started, and builds it when it is not there.
	command func(*testing.T, settings) command

	// registered adds to what every client says of itself what this one does; nil:
	// nothing.
	registered func(*application, *instance)

	// cannot holds the cases that the client cannot go through, each with the reason,
	// which docs/compatibility.md tells its users.
	cannot map[string]string

	// faults of the client itself, which cases go around and docs/compatibility.md tells
	// its users.
	faults []string

	// says holds what its log may or must say in a case although the server is without
	// fault; under "" what it may say in any, under starting before the first.
	says map[string][]expectation

	// patience is how long the client keeps asking a server that answers 503, before it
	// turns to the next. Zero: it does not.
	patience time.Duration

	// blocks says that the client blocks for ever when a server comes back between its
	// heartbeat and its read. Servers then come back after a read.
	blocks bool

	// requests is how many of them make up one read of the client that knows one
	// application. Zero: one.
	requests int
}

// command is how a program is started. Every line that it logs, but for those that
// belong to the line before, begins with a level: DEBUG, INFO, WARN, ERROR.
type command struct {
	path string
	args []string
	env  []string // KEY=VALUE, beside those of the test
}

// settings are what a case wants of a client. Programs take them as they like.
type settings struct {
	service       string   // name of the application, in lower case
	address       string   // host and port to listen on and to register
	serviceURLs   []string // of Eureka servers in order, maybe with credentials
	interval      time.Duration
	leaseDuration time.Duration
	discoverOnly  bool   // it does not register
	vip           string // the only one to read; empty: the whole registry
	compact       bool   // it asks for compact answers
	logPath       string // where its output goes
}

func (c client) can(name string) bool { return c.cannot[name] == "" }

// clients are all that `make clients` runs.
var clients = slices.Concat(springBoot4, springBoot3, netflix, node, python, goClients)

// TestClients takes every client through every case that it can go through. Its
// subtests are CLIENT/CASE. At the end it prints the result of each and holds
// docs/compatibility.md to them.
func TestClients(t *testing.T) {
	results := newResults(clients)
	t.Cleanup(func() { results.expectDocumented(t, filepath.Join("..", "..", "docs", "compatibility.md")) })
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, life := range lives {
				life.run(t, c, results)
			}
		})
	}
}

func TestClients_CannotGoThroughCasesThatExist(t *testing.T) {
	known := map[string]bool{"": true, starting: true}
	for _, life := range lives {
		for _, step := range life.steps {
			known[step.name] = true
		}
	}
	for _, c := range clients {
		for name := range c.cannot {
			if !known[name] {
				t.Errorf("%s cannot go through %s, which is no case", c.name, name)
			}
		}
		for name := range c.says {
			if !known[name] {
				t.Errorf("%s says something in %s, which is no case", c.name, name)
			}
		}
	}
}
