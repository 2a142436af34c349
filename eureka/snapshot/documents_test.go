package snapshot

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/registry"
)

// TestDocumentsStayWithinTheirBudget reads every application and every VIP in
// every form, by spellings that are parts of long texts as those of URLs are, and
// weighs what is left.
func TestDocumentsStayWithinTheirBudget(t *testing.T) {
	const apps = 160
	st := newStore(4000, apps)
	st.VIP("service-0", true, codec.JSON, false) // the indices are no documents
	before := live()
	padding := strings.Repeat("x", 1<<20)
	for n := range apps {
		name := (padding + fmt.Sprintf("service-%d", n))[len(padding):]
		for f := range codec.Form(codec.Forms) {
			body, _, ok := st.Application(strings.ToUpper(name), f)
			if !ok {
				t.Fatalf("no application %s", name)
			}
			body()
			for _, zip := range []bool{false, true} {
				st.VIP(name, false, f, zip)
				st.VIP(name, true, f, zip)
			}
		}
	}
	kept := int64(live()) - int64(before)
	t.Logf("%d KiB are kept", kept>>10)
	if kept > documentBudget*3/2 {
		t.Errorf("%d bytes are kept after every document was read, want about %d at most", kept, documentBudget)
	}
	if _, bytes := keptDocuments(st.Snapshot); bytes < documentBudget/2 {
		t.Errorf("documents of %d bytes are kept, want the budget of %d used", bytes, documentBudget)
	}
	runtime.KeepAlive(st)
}

// live is how many bytes the program cannot do without.
func live() uint64 {
	runtime.GC()
	runtime.GC() // the first one leaves what pools hold
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// keptDocuments is how many documents s holds, and their bytes.
func keptDocuments(s *Snapshot) (n, size int) {
	s.documents.kept.Range(func(_, document any) bool {
		if body, ok := document.(*once[Body]).peek(); ok {
			n++
			size += body.Len()
		}
		return true
	})
	return n, size
}

// TestDocumentsBeyondTheBudgetAreServed reads one application that is larger
// than the budget, and a small one after it.
func TestDocumentsBeyondTheBudgetAreServed(t *testing.T) {
	st := newStore(9_000, 1)
	small := pod(0, 1)
	small.App = "SMALL"
	st.registry.Replace(registry.OwnerPod, "small", registry.Listed(small))
	st.publish()
	tests := []struct {
		app  string
		kept int
	}{{"SERVICE-0", 0}, {"SMALL", 1}}
	for _, tt := range tests {
		want := codec.JSON.AppendApplication(nil, &st.full.find(tt.app).Application)
		for range 2 {
			body, _, _ := st.Application(tt.app, codec.JSON)
			if got := read(t, body(), false); !bytes.Equal(got, want) {
				t.Fatalf("%s differs from the codec:\n%s", tt.app, cmp.Diff(string(want), string(got)))
			}
		}
		if got, _ := keptDocuments(st.Snapshot); got != tt.kept {
			t.Errorf("%d documents are kept after %s was read, want %d", got, tt.app, tt.kept)
		}
	}
}

func TestNothingIsKeptForNamesThatStrangersChoose(t *testing.T) {
	st := newStore(1, 1)
	for n := range 100 {
		name := fmt.Sprintf("stranger-%d", n)
		st.VIP(name, false, codec.JSON, false)
		st.VIP(name, true, codec.JSON, false)
		st.Application(strings.ToUpper(name), codec.JSON)
	}
	if got, _ := keptDocuments(st.Snapshot); got != 1 {
		t.Errorf("%d documents are kept for names that nobody has, want the one empty list", got)
	}
}

// TestDocumentsAreMadeOnce has many readers ask at once, and an index of VIPs be
// made under way.
func TestDocumentsAreMadeOnce(t *testing.T) {
	st := newStore(100, 2)
	bodies := make([]Body, 16)
	var readers sync.WaitGroup
	for i := range bodies {
		readers.Go(func() { bodies[i] = st.VIP("service-0", i%2 == 1, codec.XML, false) })
	}
	readers.Wait()
	for _, body := range bodies[1:] {
		if &body.parts[0][0] != &bodies[0].parts[0][0] {
			t.Fatal("two readers got two copies of one document")
		}
	}
}
