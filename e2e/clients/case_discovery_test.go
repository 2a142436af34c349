package clients

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/eurekube/eurekube/e2e/suite"
)

func expectDiscovery(t *testing.T, r *rig) {
	books := guest{server: r.server, service: "books", host: "127.0.0.2"}
	books.register(t)
	r.expectDiscoveredByTwoReads(t, books.urls())
	books.cancel(t)
	r.expectDiscoveredByTwoReads(t, nil)
}

// expectDiscoveredByTwoReads is expectDiscovered for what was changed a moment ago and
// clients are to know within two intervals. Those are counted in reads, since a client
// may have to wait for a processor: one that has begun to read for the third time has
// taken in what it read twice.
func (r *rig) expectDiscoveredByTwoReads(t *testing.T, more map[string][]string) {
	t.Helper()
	changed, givenUp := time.Now(), r.givenUp()
	want := r.withDemo(more)
	suite.Eventually(t, soon, func() error {
		reads := r.readsSince(changed) - (r.givenUp() - givenUp)
		err := r.application.isDiscovered(t.Context(), want)
		if err != nil && reads > 2 {
			t.Fatalf("after two reads: %v", err)
		}
		return err
	})
}

func expectOverride(t *testing.T, r *rig) {
	books := guest{server: r.server, service: "books", host: "127.0.0.2"}
	books.register(t)
	r.expectDiscovered(t, soon, books.urls())
	books.takeOut(t)
	r.expectDiscovered(t, soon, nil)
	books.putBack(t)
	r.expectDiscovered(t, soon, books.urls())
	books.cancel(t)
	r.expectDiscovered(t, soon, nil)
}

func expectMetadata(t *testing.T, r *rig) {
	books := guest{server: r.server, service: "books", host: "127.0.0.2"}
	books.register(t)
	r.expectDiscovered(t, soon, books.urls())
	books.setMetadata(t, "colour", "blue")
	suite.Eventually(t, soon, func() error {
		found, err := r.application.known(t.Context(), books.app())
		if err == nil && (len(found) != 1 || found[0].ID != books.id() || found[0].Metadata["colour"] != "blue") {
			err = fmt.Errorf("it knows %+v of %s, want colour=blue", found, books.app())
		}
		if err == nil && !holdsQuoted(found[0].Metadata) {
			t.Fatalf("it knows %q, want the value %q", found[0].Metadata, quotedValue)
		}
		return err
	})
	books.cancel(t)
	r.expectDiscovered(t, soon, nil)
}

// An instance that a client sees the end of, and of whose application it never saw
// the beginning, has made clients find their hash wrong.
func expectBriefInstance(t *testing.T, r *rig) {
	full := r.fullReads()
	expectNoMore := func() {
		if more := r.fullReads() - full; more > 0 {
			t.Errorf("%d more full reads, want none", more)
		}
	}
	const wanted = 5
	seen := 0
	for try := 0; seen < wanted && try < 10*wanted; try++ {
		r.expectReads(t, 1) // the next does not fall between beginning and end
		expectNoMore()
		brief := guest{server: r.server, service: fmt.Sprintf("brief-%d", try), host: "127.0.0.3"}
		began := time.Now()
		brief.register(t)
		brief.cancel(t)
		if r.readsSince(began) == 0 {
			seen++
			continue
		}
		r.expectReads(t, 2) // on a busy machine it was not that brief
		full = r.fullReads()
	}
	if seen < wanted {
		t.Fatalf("only %d instances came and went between two reads, want %d", seen, wanted)
	}
	r.expectReads(t, 2)
	expectNoMore()
	r.expectDiscovered(t, soon, nil)
}

func expectGzip(t *testing.T, r *rig) {
	r.expectReads(t, 1)
	for _, read := range r.exchanges(isAnyRead) {
		if !isRead(read, "/apps") && !isRead(read, "/apps/delta") {
			continue // one application and one instance are never compressed
		}
		if asked := read.Request.Get("Accept-Encoding"); !strings.Contains(asked, "gzip") {
			t.Fatalf("GET %s was asked for with Accept-Encoding %q, want gzip", read.URI, asked)
		}
		if got := read.Response.Get("Content-Encoding"); got != "gzip" {
			t.Fatalf("GET %s was answered with Content-Encoding %q, want gzip", read.URI, got)
		}
	}
	r.expectDiscovered(t, soon, nil)
}

func expectSingleVIP(t *testing.T, r *rig) {
	more := guest{server: r.server, service: "orders", host: "127.0.0.2"}
	r.application.expectDiscovered(t, soon, map[string][]string{"orders": demo["orders"]})
	more.register(t)
	r.application.expectDiscovered(t, soon, map[string][]string{"orders": append(demo["orders"][:2:2], more.urls()["orders"]...)})
	more.cancel(t)
	r.application.expectDiscovered(t, soon, map[string][]string{"orders": demo["orders"]})
	for _, read := range r.exchanges(isAnyRead) {
		if own := strings.HasSuffix(read.URI, "/"+r.application.id); !own && !isRead(read, "/vips/orders") {
			t.Errorf("it reads %s, want /vips/orders alone", read.URI)
		}
	}
}

func expectCompact(t *testing.T, r *rig) {
	r.expectDiscovered(t, soon, nil)
	r.expectReads(t, 2)
	r.expectDiscovered(t, 0, nil)
	for _, read := range r.exchanges(isAnyRead) {
		if asked := read.Request.Get("X-Eureka-Accept"); asked != "compact" {
			t.Errorf("GET %s was asked for with X-Eureka-Accept %q, want compact", read.URI, asked)
		}
	}
	found, err := r.application.known(t.Context(), "ORDERS")
	if err != nil {
		t.Fatal(err)
	}
	for _, instance := range found {
		if len(instance.Metadata) > 0 {
			t.Errorf("it knows metadata of %s, which compact answers do not have: %v", instance.ID, instance.Metadata)
		}
	}
}
