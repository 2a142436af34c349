package api

import (
	"fmt"
	"net/http"
	"runtime"
	runtimemetrics "runtime/metrics"
	"strconv"
	"time"

	"github.com/eurekube/eurekube/eureka/codec"
)

// getStatus answers what the server says of itself (protocol section 3.13).
// Upstream fails on JSON; here both forms work.
func (a *API) getStatus(w *response, r *http.Request) error {
	self := a.config.Self.Clone()
	self.LastUpdatedTimestamp = a.started.UnixMilli()
	self.LastDirtyTimestamp = a.started.UnixMilli()
	info := codec.StatusInfo{GeneralStats: a.generalStats(), ApplicationStats: replicas(), Instance: self}
	form := instanceForm(r.Header)
	w.document(http.StatusOK, form, form.AppendStatusInfo(nil, &info))
	return nil
}

// generalStats says how the process does, in the words of Netflix's server.
func (a *API) generalStats() []codec.Stat {
	samples := []runtimemetrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	runtimemetrics.Read(samples)
	total, used := samples[0].Value.Uint64(), samples[1].Value.Uint64()
	stats := []codec.Stat{
		{Name: "num-of-cpus", Value: strconv.Itoa(runtime.GOMAXPROCS(0))},
		{Name: "total-avail-memory", Value: megabytes(total)},
		{Name: "current-memory-usage", Value: fmt.Sprintf("%s (%d%%)", megabytes(used), 100*used/max(total, 1))},
		{Name: "server-uptime", Value: uptime(time.Since(a.started))},
	}
	if a.config.Leases == nil {
		return stats
	}
	leases := a.config.Leases.Stats()
	return append(stats,
		codec.Stat{Name: "self-preservation", Value: strconv.FormatBool(leases.SelfPreservation)},
		codec.Stat{Name: "expected-renewals-per-minute", Value: strconv.FormatInt(int64(leases.ExpectedRenewalsPerMinute), 10)},
		codec.Stat{Name: "actual-renewals-per-minute", Value: strconv.FormatInt(int64(leases.ActualRenewalsPerMinute), 10)},
	)
}

func megabytes(bytes uint64) string {
	return strconv.FormatUint(bytes>>20, 10) + "mb"
}

// uptime is hours and minutes.
func uptime(d time.Duration) string {
	return fmt.Sprintf("%02d:%02d", int(d.Hours()), int(d.Minutes())%60)
}

// replicas names the peers: there are none, since every replica watches
// Kubernetes itself.
func replicas() []codec.Stat {
	return []codec.Stat{{Name: "registered-replicas"}, {Name: "available-replicas"}, {Name: "unavailable-replicas"}}
}
