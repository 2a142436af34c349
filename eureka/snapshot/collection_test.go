package snapshot

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/registry"
)

// TestFirstSnapshotMakesEachPieceOnce counts allocations, since every piece that
// is made takes some: a snapshot of 20,000 apps must not take more than one for
// each app, which it does when it makes a piece for each.
func TestFirstSnapshotMakesEachPieceOnce(t *testing.T) {
	const apps = 20_000
	var all []*listed
	for n := range apps {
		inst := &eureka.Instance{ID: fmt.Sprint(n), App: fmt.Sprintf("APP-%05d", n)}
		all = append(all, newListed(inst.App, []*eureka.Instance{inst}, 1))
	}
	var c *collection
	allocations := testing.AllocsPerRun(1, func() { c = emptyCollection.with(all) })
	if c.size != apps || c.find("APP-00000") == nil || c.find("APP-19999") == nil {
		t.Fatalf("the collection holds %d instances, want %d", c.size, apps)
	}
	if allocations > apps {
		t.Errorf("a first snapshot of %d apps takes %v allocations, want less than one for each", apps, allocations)
	}
}

// TestPiecesFollowTheSizeOfTheRegistry also holds that a registry does not have
// its pieces cut anew, and so all its answers encoded anew, while it moves a
// little around one size.
func TestPiecesFollowTheSizeOfTheRegistry(t *testing.T) {
	const apps = 100
	st := newStore(0, apps)
	steps := []struct{ pods, want int }{
		{maxPerPiece, 1},
		{maxPerPiece + 1, 2},
		{maxPerPiece, 2},
		{10 * maxPerPiece, 16},
		{16 * minPerPiece, 16},
		{16*minPerPiece - 1, 8},
		{minPerPiece, 1},
		{0, 1},
	}
	listedPods := 0
	var got, want []int
	for _, step := range steps {
		for ; listedPods < step.pods; listedPods++ {
			st.registry.Replace(registry.OwnerPod, fmt.Sprint(listedPods), registry.Listed(pod(listedPods, apps)))
		}
		for ; listedPods > step.pods; listedPods-- {
			st.registry.Replace(registry.OwnerPod, fmt.Sprint(listedPods-1))
		}
		st.publish()
		if !bytes.Equal(read(t, st.Full(codec.XMLCompact, false), false), reference(st.full, codec.XMLCompact, st.version, st.hash)) {
			t.Errorf("the list of %d instances differs from the codec", step.pods)
		}
		got, want = append(got, len(st.full.pieces)), append(want, step.want)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pieces after each step (-want +got):\n%s", diff)
	}
}

// TestAnAppThatWasNotListedLeavesItsPiece has a registration come and go between
// two publications, which nobody saw.
func TestAnAppThatWasNotListedLeavesItsPiece(t *testing.T) {
	st := newStore(10, 2)
	before := st.full.pieces[0]
	st.registry.Replace(registry.OwnerPod, "brief", registry.Listed(&eureka.Instance{ID: "i", App: "BRIEF"}))
	st.registry.Replace(registry.OwnerPod, "brief")
	st.publish()
	if st.full.pieces[0] != before {
		t.Error("an app that nobody saw has a piece encoded anew")
	}
}
