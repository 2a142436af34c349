package snapshot

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/registry"
)

// pod is an instance as the convertor makes it of the n-th pod.
func pod(n, apps int) *eureka.Instance {
	ip := fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255)
	service := fmt.Sprintf("service-%d", n%apps)
	stamp := 1_700_000_000_000 + int64(n)*1000
	return &eureka.Instance{
		ID: ip + ":" + service + ":8080", HostName: ip, App: fmt.Sprintf("SERVICE-%d", n%apps), IPAddr: ip,
		Status: eureka.StatusUp, OverriddenStatus: eureka.StatusUnknown,
		Port: eureka.Port{Number: 8080, Enabled: true}, SecurePort: eureka.Port{Number: 443}, CountryID: 1,
		DataCenterInfo: eureka.DataCenterInfo{Name: eureka.DataCenterMyOwn},
		Lease:          eureka.Lease{RenewalIntervalInSecs: 30, DurationInSecs: 90, RegistrationTimestamp: stamp, LastRenewalTimestamp: stamp, ServiceUpTimestamp: stamp},
		Metadata: map[string]string{
			"version": "1.4.2", "management.port": "8081", "namespace": "shop", "zone": "eu-1a",
			"pod": fmt.Sprintf("%s-7d9f%06x-%05x", service, n*7919, n*104729&0xfffff),
		},
		HomePageURL: "http://" + ip + ":8080/", StatusPageURL: "http://" + ip + ":8081/actuator/info", HealthCheckURL: "http://" + ip + ":8081/actuator/health",
		VIPAddress: service, SecureVIPAddress: service, LastUpdatedTimestamp: stamp, LastDirtyTimestamp: stamp,
	}
}

// store is a registry with the snapshot of what it drained last.
type store struct {
	registry *registry.Registry
	*Snapshot
}

func newStore(pods, apps int) *store {
	st := &store{registry.New(time.Now), newSnapshot(1000)}
	for n := range pods {
		st.registry.Replace(registry.OwnerPod, fmt.Sprint(n), registry.Listed(pod(n, apps)))
	}
	st.publish()
	return st
}

func (st *store) publish() { st.Snapshot = st.next(st.registry.Drain(), time.Now()) }

// reference is what the codec alone makes of a collection.
func reference(c *collection, f codec.Form, version int64, hash string) []byte {
	all := eureka.Applications{VersionsDelta: version, AppsHashCode: hash}
	c.each(func(a *listed) { all.Applications = append(all.Applications, a.Application) })
	return f.AppendApplications(nil, &all)
}

func read(t *testing.T, b Body, zip bool) []byte {
	t.Helper()
	var buf bytes.Buffer
	if n, err := b.WriteTo(&buf); err != nil || n != int64(b.Len()) {
		t.Fatalf("WriteTo = %d bytes, %v; want %d", n, err, b.Len())
	}
	if !zip {
		return buf.Bytes()
	}
	r, err := gzip.NewReader(&buf)
	if err != nil {
		t.Fatalf("gzip: %v", err)
	}
	r.Multistream(false)
	text, err := io.ReadAll(r) // checks the checksum and the length
	if err != nil {
		t.Fatalf("gunzip: %v", err)
	}
	if buf.Len() > 0 {
		t.Fatalf("%d bytes behind the gzip member", buf.Len())
	}
	return text
}

// TestJoinedAnswersEqualTheCodec changes a registry at random and compares each
// answer, joined from pieces of several ages, with one encoded in one go.
func TestJoinedAnswersEqualTheCodec(t *testing.T) {
	for _, size := range []struct{ pods, apps int }{{0, 1}, {1, 1}, {3, 3}, {500, 7}, {2000, 400}} {
		t.Run(fmt.Sprintf("pods=%d", size.pods), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(uint64(size.pods), 1))
			st := newStore(size.pods, size.apps)
			for range 3 {
				compareAll(t, st.Snapshot)
				for range 1 + size.pods/4 {
					n := rnd.IntN(2 * max(size.pods, 1))
					if rnd.IntN(2) == 0 {
						st.registry.Replace(registry.OwnerPod, fmt.Sprint(n))
					} else {
						st.registry.Replace(registry.OwnerPod, fmt.Sprint(n), registry.Listed(pod(n, size.apps)))
					}
				}
				st.publish()
			}
		})
	}
}

func compareAll(t *testing.T, s *Snapshot) {
	t.Helper()
	for f := range codec.Form(codec.Forms) {
		for _, zip := range []bool{false, true} {
			want := reference(s.full, f, s.version, s.hash)
			if got := read(t, s.Full(f, zip), zip); !bytes.Equal(got, want) {
				t.Fatalf("full %v zip=%v differs from the codec:\n%s", f, zip, cmp.Diff(string(want), string(got)))
			}
			want = reference(s.delta, f, s.version, s.hash)
			if got := read(t, s.Delta(f, zip), zip); !bytes.Equal(got, want) {
				t.Fatalf("delta %v zip=%v differs from the codec:\n%s", f, zip, cmp.Diff(string(want), string(got)))
			}
		}
	}
}

// TestOneChangeEncodesItsOwnPieceOnly looks at which bytes two versions share.
func TestOneChangeEncodesItsOwnPieceOnly(t *testing.T) {
	st := newStore(5000, 250)
	before := st.Snapshot
	before.Full(codec.JSON, true)
	changed := pod(0, 250)
	changed.Status = eureka.StatusDown
	st.registry.Replace(registry.OwnerPod, "0", registry.Listed(changed))
	st.publish()
	if len(before.full.pieces) < 10 || len(before.full.pieces) != len(st.full.pieces) {
		t.Fatalf("pieces before and after = %d, %d; want the same and many", len(before.full.pieces), len(st.full.pieces))
	}
	others := 0
	for i, p := range st.full.pieces {
		if p != before.full.pieces[i] {
			others++
		}
	}
	if others != 1 {
		t.Errorf("%d pieces are new after one change, want 1", others)
	}
}

// TestGzipIsNearlyAsSmallAsOneStream compares with one level-6 stream over the
// same text.
func TestGzipIsNearlyAsSmallAsOneStream(t *testing.T) {
	for _, size := range []struct{ pods, apps int }{{100, 20}, {1000, 40}, {10_000, 400}, {10_000, 5000}} {
		t.Run(fmt.Sprintf("pods=%d,apps=%d", size.pods, size.apps), func(t *testing.T) {
			s := newStore(size.pods, size.apps).Snapshot
			for _, f := range []codec.Form{codec.JSON, codec.XML} {
				var one bytes.Buffer
				w, err := gzip.NewWriterLevel(&one, 6)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.Full(f, false).WriteTo(w); err != nil {
					t.Fatal(err)
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				got := s.Full(f, true).Len()
				t.Logf("%v: %d bytes, one stream %d (%+.1f %%)", f, got, one.Len(), 100*(float64(got)/float64(one.Len())-1))
				if float64(got) > 1.10*float64(one.Len()) {
					t.Errorf("%v: gzip body of %d bytes, want at most 10 %% more than %d", f, got, one.Len())
				}
			}
		})
	}
}

func TestFieldCase42_VIPsListOnlyTheirInstances(t *testing.T) {
	st := &store{registry.New(time.Now), newSnapshot(1)}
	for n := range 5 {
		inst := pod(n, 1)
		inst.App, inst.VIPAddress = "CART", "cart"
		if n < 2 {
			inst.App, inst.VIPAddress = "ORDERS", "orders,shop"
		}
		st.registry.Replace(registry.OwnerPod, fmt.Sprint(n), registry.Listed(inst))
	}
	st.publish()
	tests := []struct {
		vip  string
		want map[string]int
		hash string
	}{
		{"orders", map[string]int{"ORDERS": 2}, "UP_2_"},
		{"shop", map[string]int{"ORDERS": 2}, "UP_2_"},
		{"cart", map[string]int{"CART": 3}, "UP_3_"},
		{"Orders", map[string]int{}, ""},
		{"orders,shop", map[string]int{}, ""},
		{"", map[string]int{}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.vip, func(t *testing.T) {
			for _, zip := range []bool{false, true} {
				apps, err := codec.DecodeApplications(codec.JSON, read(t, st.VIP(tt.vip, false, codec.JSON, zip), zip))
				if err != nil {
					t.Fatal(err)
				}
				got := map[string]int{}
				for _, a := range apps.Applications {
					got[a.Name] = len(a.Instances)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("instances by application (-want +got):\n%s", diff)
				}
				if apps.AppsHashCode != tt.hash || apps.VersionsDelta != -1 {
					t.Errorf("hash %q version %d, want %q and -1", apps.AppsHashCode, apps.VersionsDelta, tt.hash)
				}
			}
		})
	}
}

func TestVersionMovesWithWhatClientsSee(t *testing.T) {
	clock := time.UnixMilli(1_700_000_000_000)
	st := &store{registry.New(func() time.Time { return clock }), newSnapshot(1)}
	st.registry.Replace(registry.OwnerPod, "0", registry.Listed(pod(0, 1)))
	st.publish()
	if st.Version() != 2 {
		t.Errorf("version after a change = %d, want 2", st.Version())
	}
	clock = clock.Add(registry.DeltaWindow + time.Second)
	if !st.registry.Forget() {
		t.Fatal("Forget dropped nothing")
	}
	serial := st.Serial()
	st.publish()
	if st.Version() != 2 || st.Serial() == serial {
		t.Errorf("version, serial after the delta forgot = %d, %d; want 2 and another than %d", st.Version(), st.Serial(), serial)
	}
	if got := st.delta.size; got != 0 {
		t.Errorf("delta holds %d instances, want none", got)
	}
}
