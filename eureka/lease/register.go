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
)

// Register begins a lease for inst, or begins it anew. The caller has validated
// inst and hands it over; remote is where the request came from, the zero value
// when nobody knows. replica says that a peer sent it that the caller has
// authorized: remote is then not looked at.
//
// A description older than the stored one, by lastDirtyTimestamp, is dropped,
// and the lease begins anew all the same; at a tie the newcomer wins (protocol
// section 5.3). An override that an operator set stays. The errors are a
// *ForbiddenError and ErrOff.
func (s *Store) Register(ctx context.Context, inst *eureka.Instance, remote netip.Addr, replica bool) error {
	if s.config.Mode == ModeOff {
		return ErrOff
	}
	complete(inst)
	if err := s.admit(inst, remote, replica); err != nil {
		return err
	}
	k := keyOf(inst.App, inst.ID)
	sh := s.shard(k)
	sh.writes.Lock()
	defer sh.writes.Unlock()

	before := sh.leases[k]
	s.begin(sh, k, inst, before)
	pod := s.pod(k)
	if pod != "" {
		s.config.Registry.RevivePod(pod) // field case 87: a self-cancel holds until now
	}
	sh.setPod(sh.leases[k], pod)
	klog.FromContext(ctx).V(4).Info("Registered an instance", "app", k.app, "instanceID", k.id, "again", before != nil, "pod", pod)
	return nil
}

// begin makes the lease of k a new one for inst. before is the one until now,
// nil without any. The caller holds sh.writes.
func (s *Store) begin(sh *shard, k key, inst *eureka.Instance, before *entry) {
	asked := inst.Lease
	kept, pod := sh.remembered(k)
	override := kept.orExpired(s.clock())
	if before != nil {
		if before.inst.LastDirtyTimestamp > inst.LastDirtyTimestamp {
			inst = before.inst.Clone()
		}
		override = before.override
	}
	if override == "" && inst.OverriddenStatus != eureka.StatusUnknown {
		override = inst.OverriddenStatus // a peer's, or a client's own record of one
	}

	now := time.Now().UnixMilli()
	inst.OverriddenStatus = cmp.Or(override, eureka.StatusUnknown)
	inst.Status = effective(inst.Status, override)
	inst.LastUpdatedTimestamp = now
	inst.Lease = eureka.Lease{
		RenewalIntervalInSecs: asked.RenewalIntervalInSecs,
		DurationInSecs:        asked.DurationInSecs,
		RegistrationTimestamp: now,
		LastRenewalTimestamp:  now,
	}
	if before != nil {
		inst.Lease.ServiceUpTimestamp = before.inst.Lease.ServiceUpTimestamp
	}
	markUp(inst, now)

	e := &entry{
		key:      k,
		interval: seconds(asked.RenewalIntervalInSecs),
		duration: seconds(asked.DurationInSecs),
		inst:     inst,
		override: override,
		pod:      pod,
	}
	e.renew(s.clock())
	sh.put(e)
	s.tell(k, inst)
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
