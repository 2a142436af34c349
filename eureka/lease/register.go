package lease

import (
	"cmp"
	"context"
	"math"
	"net/netip"
	"strings"
	"time"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

// Register begins a lease for inst, or begins it anew. The caller has validated
// inst and hands it over; remote is where the request came from, the zero value
// when nobody knows. replica says that a peer sent it that the caller has
// authorized: remote is then not looked at.
//
// A description older than the stored one, by lastDirtyTimestamp, is dropped,
// and the lease begins anew all the same; at a tie the newcomer wins (protocol
// section 5.3). An override that an operator set stays; one that inst brings counts
// unless a pod, whose overrides are the registry's, is its process. The errors are
// a *ForbiddenError and ErrOff.
func (s *Store) Register(ctx context.Context, inst *eureka.Instance, remote netip.Addr, replica bool) error {
	if s.config.Mode == ModeOff {
		return ErrOff
	}
	complete(inst)
	if err := s.admit(inst, remote, replica); err != nil {
		return err
	}
	k := keyOf(inst.App, inst.ID)
	status := inst.Status
	pod, began := s.register(k, inst)
	if pod != "" {
		s.config.Registry.BoundLeases(pod) // ends leases, so no lock may be held
	}
	if began {
		note(ctx, &s.journal.registered, k, pod, "Registered an instance", "status", status)
	} else {
		klog.FromContext(ctx).V(4).Info("Registered an instance again", "app", k.app, "instanceID", k.id, "pod", pod)
	}
	return nil
}

// register makes inst the holder of the lease of k. It returns the pod that it is
// one with, and whether anything began: there was no lease, or the pod was cancelled.
func (s *Store) register(k key, inst *eureka.Instance) (pod string, began bool) {
	sh := s.shard(k)
	sh.writes.Lock()
	defer sh.writes.Unlock()

	before := sh.leases[k]
	e := &entry{key: k, inst: inst, reported: inst.Status, registered: time.Now().UnixMilli()}
	asked := inst.Lease
	if before != nil && before.inst.LastDirtyTimestamp > inst.LastDirtyTimestamp {
		e.inst, e.reported = before.inst.Clone(), before.reported
	}
	pod = s.begin(sh, e, before, asked, registry.CauseRegistered)
	revived := pod != "" && s.config.Registry.RevivePod(pod) // field case 87: a self-cancel holds until now
	return pod, before == nil || revived
}

// begin makes e, which has a holder, the lease of its key. before is the one until
// now, nil without any. It returns the pod that e is one with, empty for none. The
// caller holds sh.writes.
func (s *Store) begin(sh *shard, e, before *entry, asked eureka.Lease, cause registry.Cause) (pod string) {
	e.override, e.fromHolder = s.overrideOf(sh, e, before)
	e.inst.Status = effective(e.inst.Status, e.override)
	if pod = s.config.Registry.PodAt(e.app, endpoints(e.inst)); pod != "" {
		s.handOver(e, pod)
		e.inst.Status, e.override, e.fromHolder = e.reported, "", false
	}

	now := time.Now().UnixMilli()
	e.inst.OverriddenStatus = cmp.Or(e.override, eureka.StatusUnknown)
	e.inst.LastUpdatedTimestamp = now
	e.inst.Lease = eureka.Lease{
		RenewalIntervalInSecs: asked.RenewalIntervalInSecs,
		DurationInSecs:        asked.DurationInSecs,
		RegistrationTimestamp: now,
		LastRenewalTimestamp:  now,
	}
	if before != nil {
		e.inst.Lease.ServiceUpTimestamp = before.inst.Lease.ServiceUpTimestamp
	}
	markUp(e.inst, now)

	e.interval = seconds(asked.RenewalIntervalInSecs)
	e.duration = seconds(asked.DurationInSecs)
	e.onTime = s.config.EndsOnTime != nil && s.config.EndsOnTime(e.inst)
	e.pod = pod
	e.renew(s.clock())
	sh.put(e)
	s.tell(e, cause)
	return pod
}

// overrideOf is the override that the new lease e begins with: that of the one
// before, also of one that expired, or else what its holder brings.
func (s *Store) overrideOf(sh *shard, e, before *entry) (override eureka.Status, fromHolder bool) {
	if before != nil {
		override, fromHolder = before.override, before.fromHolder
	} else {
		override = sh.keptOverride(e.key).orExpired(s.clock())
	}
	if override == "" && e.inst.OverriddenStatus != eureka.StatusUnknown {
		return e.inst.OverriddenStatus, true // a peer's, or a client's own record of one
	}
	return override, fromHolder
}

// markUp notes when an instance was up for the first time.
func markUp(inst *eureka.Instance, now int64) {
	if inst.Status == eureka.StatusUp && inst.Lease.ServiceUpTimestamp == 0 {
		inst.Lease.ServiceUpTimestamp = now
	}
}

// complete gives inst what a registration may leave out and a lease needs.
func complete(inst *eureka.Instance) {
	inst.App = strings.ToUpper(inst.App)
	inst.ID = cmp.Or(inst.ID, inst.DataCenterInfo.Metadata["instance-id"], inst.HostName) // protocol section 5.1, field case 14
	inst.Status = cmp.Or(inst.Status, eureka.StatusUp)
	inst.OverriddenStatus = cmp.Or(inst.OverriddenStatus, eureka.StatusUnknown)
	if inst.LastDirtyTimestamp == 0 {
		inst.LastDirtyTimestamp = time.Now().UnixMilli()
	}
	if inst.Lease.RenewalIntervalInSecs <= 0 {
		inst.Lease.RenewalIntervalInSecs = eureka.DefaultRenewalIntervalInSecs
	}
	if inst.Lease.DurationInSecs <= 0 {
		inst.Lease.DurationInSecs = eureka.DefaultDurationInSecs
	}
}

// seconds is n seconds, at most what the protocol's 32 bits hold: upstream
// overflows far below and ends such leases at once.
func seconds(n int) time.Duration {
	return time.Duration(min(n, math.MaxInt32)) * time.Second
}
