package convertor_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/convertor"
	"github.com/eurekube/eurekube/eureka"
)

func TestConvertWholeInstance(t *testing.T) {
	got := listed(t, newPod("orders-7d9-abc", "10.0.0.5", "Orders"), defaultRules)
	want := &eureka.Instance{
		ID: "10.0.0.5:Orders:8080", HostName: "10.0.0.5", App: "ORDERS", IPAddr: "10.0.0.5",
		Status: eureka.StatusUp, OverriddenStatus: eureka.StatusUnknown,
		Port: eureka.Port{Number: 8080, Enabled: true}, SecurePort: eureka.Port{Number: 443},
		CountryID: 1, DataCenterInfo: eureka.DataCenterInfo{Name: "MyOwn"},
		Lease: eureka.Lease{
			RenewalIntervalInSecs: 30, DurationInSecs: 90,
			RegistrationTimestamp: readyTime.UnixMilli(),
			LastRenewalTimestamp:  readyTime.UnixMilli(),
			ServiceUpTimestamp:    readyTime.UnixMilli(),
		},
		Metadata: map[string]string{
			"version": "1.0", "management.port": "8081", "namespace": "shop", "pod": "orders-7d9-abc",
		},
		HomePageURL:    "http://10.0.0.5:8080/",
		StatusPageURL:  "http://10.0.0.5:8081/actuator/info",
		HealthCheckURL: "http://10.0.0.5:8081/actuator/health",
		VIPAddress:     "orders", SecureVIPAddress: "orders",
		LastUpdatedTimestamp: readyTime.UnixMilli(), LastDirtyTimestamp: readyTime.UnixMilli(),
	}
	equal(t, "instance", got, want)
}

func TestConvertChoerodonMetadata(t *testing.T) {
	got := listed(t, newPod("orders-abc", "10.0.0.5", "orders", choerodon), defaultRules)
	equal(t, "metadata", got.Metadata, map[string]string{
		"version": "1.0", "VERSION": "1.0", "provisioner": "pod", "pod-self-link": "shop/orders-abc",
		"management.port": "8081", "namespace": "shop", "pod": "orders-abc",
	})
	equal(t, "health URL", got.HealthCheckURL, "http://10.0.0.5:8081/actuator/health")
}

// listings are pods and what becomes of each.
type listings []struct {
	name    string
	edits   []edit
	unready convertor.Unready
	want    eureka.Status
	reason  convertor.Reason
	process bool // not listed, and described for it all the same
}

func (tests listings) run(t *testing.T) {
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pod := newPod("orders-abc", "10.0.0.5", "orders", tt.edits...)
			rules := with(func(r *convertor.Rules) { r.Unready = tt.unready })
			if tt.reason != "" {
				if beside := notListed(t, pod, rules, tt.reason); (beside != nil) != tt.process {
					t.Errorf("beside the reason there is the instance %v, want one: %v", beside, tt.process)
				}
				return
			}
			inst := listed(t, pod, rules)
			equal(t, "status", inst.Status, tt.want)
			equal(t, "overridden status", inst.OverriddenStatus, eureka.StatusUnknown)
			equal(t, "has a time of being up", inst.Lease.ServiceUpTimestamp != 0, tt.want == eureka.StatusUp)
		})
	}
}

// TestConvertListing and TestConvertNeedsLabelsAndAPort are the table in the package's documentation.
func TestConvertListing(t *testing.T) {
	deleted := func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: editTime} }
	noIP := func(p *corev1.Pod) { p.Status.PodIP, p.Status.PodIPs = "", nil }
	noStart := func(p *corev1.Pod) { p.Status.StartTime = nil }
	const omit, down = convertor.UnreadyOmit, convertor.UnreadyDown
	listings{
		{name: "running and ready", unready: omit, want: "UP"},
		{name: "ready, unready ones are shown", unready: down, want: "UP"},
		{name: "phase unknown but ready", edits: []edit{phase(corev1.PodUnknown)}, reason: "not-ready", process: true},
		{name: "phase unknown, unready ones are shown", edits: []edit{phase(corev1.PodUnknown)}, unready: down, reason: "not-ready", process: true},
		{name: "no phase but ready", edits: []edit{phase("")}, unready: down, reason: "not-ready", process: true},
		{name: "being deleted", edits: []edit{deleted}, unready: omit, reason: "terminating", process: true},
		{name: "being deleted, unready", edits: []edit{deleted, unready(readyTime)}, unready: down, reason: "terminating", process: true},
		{name: "being deleted, finished", edits: []edit{deleted, phase(corev1.PodFailed)}, reason: "terminating"},
		{name: "succeeded", edits: []edit{phase(corev1.PodSucceeded)}, unready: down, reason: "finished"},
		{name: "failed", edits: []edit{phase(corev1.PodFailed)}, unready: down, reason: "finished"},
		{name: "pending", edits: []edit{phase(corev1.PodPending), unready(startTime)}, unready: omit, reason: "not-ready", process: true},
		{name: "pending, unready ones are shown", edits: []edit{phase(corev1.PodPending), unready(startTime)}, unready: down, reason: "not-ready", process: true},
		{name: "pending, no IP yet", edits: []edit{phase(corev1.PodPending), noIP, conditions()}, reason: "not-ready"},
		{name: "no IP", edits: []edit{noIP}, reason: "no-ip"},
		{name: "no IP, unready ones are shown", edits: []edit{noIP, unready(readyTime)}, unready: down, reason: "no-ip"},
		{name: "not ready", edits: []edit{unready(readyTime)}, unready: omit, reason: "not-ready", process: true},
		{name: "not ready, no choice made", edits: []edit{unready(readyTime)}, reason: "not-ready", process: true},
		{name: "not ready any more", edits: []edit{unready(readyTime)}, unready: down, want: "DOWN"},
		{name: "never ready, condition as old as the pod", edits: []edit{unready(startTime)}, unready: down, want: "STARTING"},
		{name: "never ready, no condition", edits: []edit{conditions()}, unready: down, want: "STARTING"},
		{name: "not ready, start unknown", edits: []edit{unready(readyTime), noStart}, unready: down, want: "DOWN"},
		{name: "readiness unknown", edits: []edit{conditions(condition(corev1.PodReady, corev1.ConditionUnknown, readyTime))}, unready: down, want: "DOWN"},
		{name: "not ready, no service label", edits: []edit{unready(readyTime), without("eurekube.io/service")}, reason: "not-ready"},
		{name: "not ready, no port", edits: []edit{unready(readyTime), containers(container("app"))}, reason: "not-ready"},
		{name: "being deleted, no IP", edits: []edit{deleted, noIP}, reason: "terminating"},
	}.run(t)
}

func TestConvertNeedsLabelsAndAPort(t *testing.T) {
	listings{
		{name: "no service label", edits: []edit{without("eurekube.io/service")}, reason: "no-service-name"},
		{name: "blank service label", edits: []edit{label("eurekube.io/service", " ")}, reason: "no-service-name"},
		{name: "service annotation without the label", edits: []edit{without("eurekube.io/service"), annotation("eurekube.io/service", "orders")}, reason: "no-service-name"},
		{name: "no version, not needed", edits: []edit{without("eurekube.io/version")}, want: "UP"},
		{name: "no management port, not needed", edits: []edit{without("eurekube.io/management-port")}, want: "UP"},
		{name: "choerodon", edits: []edit{choerodon}, want: "UP"},
		{name: "choerodon, no version", edits: []edit{choerodon, without("choerodon.io/version"), label("app.kubernetes.io/version", "2")}, reason: "no-version-label"},
		{name: "choerodon, version as annotation", edits: []edit{choerodon, without("choerodon.io/version"), annotation("choerodon.io/version", "2+1")}, want: "UP"},
		{name: "choerodon, no metrics port", edits: []edit{choerodon, without("choerodon.io/metrics-port")}, reason: "no-metrics-port-label"},
		{name: "no port", edits: []edit{containers(container("app"))}, reason: "no-port"},
	}.run(t)
}

func TestConvertTimestamps(t *testing.T) {
	fields := func(entries ...metav1.ManagedFieldsEntry) edit {
		return func(p *corev1.Pod) { p.ManagedFields = entries }
	}
	entry := func(subresource string, at time.Time) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{Subresource: subresource, Time: &metav1.Time{Time: at}}
	}
	noCondition := func(p *corev1.Pod) { p.Status.Conditions[0].LastTransitionTime = metav1.Time{} }
	noStart := func(p *corev1.Pod) { p.Status.StartTime = nil }
	created := func(p *corev1.Pod) { p.CreationTimestamp = metav1.NewTime(startTime.Add(-time.Minute)) }
	tests := []struct {
		name           string
		edits          []edit
		ready, changed time.Time
	}{
		{name: "ready condition", ready: readyTime, changed: readyTime},
		{name: "condition without time", edits: []edit{noCondition}, ready: startTime, changed: startTime},
		{name: "neither condition nor start", edits: []edit{noCondition, noStart, created}, ready: startTime.Add(-time.Minute), changed: startTime.Add(-time.Minute)},
		{name: "no time at all", edits: []edit{noCondition, noStart}, ready: time.UnixMilli(0), changed: time.UnixMilli(0)},
		{name: "edited later", edits: []edit{fields(entry("", editTime), entry("", startTime), entry("status", editTime.Add(time.Hour)))}, ready: readyTime, changed: editTime},
		{name: "edited before it was ready", edits: []edit{fields(entry("", startTime))}, ready: readyTime, changed: readyTime},
		{name: "entry without time", edits: []edit{fields(metav1.ManagedFieldsEntry{})}, ready: readyTime, changed: readyTime},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inst := listed(t, newPod("orders-abc", "10.0.0.5", "orders", tt.edits...), defaultRules)
			equal(t, "lease", inst.Lease, eureka.Lease{
				RenewalIntervalInSecs: 30, DurationInSecs: 90,
				RegistrationTimestamp: tt.ready.UnixMilli(),
				LastRenewalTimestamp:  tt.ready.UnixMilli(),
				ServiceUpTimestamp:    tt.ready.UnixMilli(),
			})
			equal(t, "last updated", inst.LastUpdatedTimestamp, tt.changed.UnixMilli())
			equal(t, "last dirty", inst.LastDirtyTimestamp, tt.changed.UnixMilli())
		})
	}
}

func TestConvertStatusAnnotation(t *testing.T) {
	type statuses struct{ Status, Overridden eureka.Status }
	tests := []struct {
		name     string
		word     string
		edits    []edit
		want     statuses
		warnings []convertor.WarningReason
	}{
		{name: "out of service", word: "OUT_OF_SERVICE", want: statuses{"OUT_OF_SERVICE", "OUT_OF_SERVICE"}},
		{name: "any case and space", word: " down ", want: statuses{"DOWN", "DOWN"}},
		{name: "up", word: "UP", want: statuses{"UP", "UP"}},
		{name: "up does not lift an unready pod", word: "UP", edits: []edit{unready(readyTime)}, want: statuses{"DOWN", "UP"}},
		{name: "unready and out of service", word: "OUT_OF_SERVICE", edits: []edit{unready(readyTime)}, want: statuses{"OUT_OF_SERVICE", "OUT_OF_SERVICE"}},
		{name: "blank", word: " ", want: statuses{"UP", "UNKNOWN"}},
		{name: "no status", word: "PAUSED", want: statuses{"UP", "UNKNOWN"}, warnings: []convertor.WarningReason{"bad-status"}},
	}
	rules := with(func(r *convertor.Rules) { r.Unready = convertor.UnreadyDown })
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pod := newPod("orders-abc", "10.0.0.5", "orders", append(tt.edits, annotation("eurekube.io/status", tt.word))...)
			inst, warnings, err := convertor.Convert(pod, rules)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "statuses", statuses{inst.Status, inst.OverriddenStatus}, tt.want)
			equal(t, "warnings", reasonsOf(warnings), tt.warnings)
		})
	}
	unlisted := newPod("orders-abc", "10.0.0.5", "orders", unready(readyTime), annotation("eurekube.io/status", "UP"))
	notListed(t, unlisted, defaultRules, convertor.ReasonNotReady)
}

func TestConvertReadsOnly(t *testing.T) {
	pod := newPod("orders-abc", "10.0.0.5", "orders", annotation("eurekube.io/metadata.team", "blue"))
	before := pod.DeepCopy()
	inst := listed(t, pod, defaultRules)
	inst.Metadata["team"] = "red"
	if diff := cmp.Diff(before, pod); diff != "" {
		t.Errorf("Convert changed the pod (-before +after):\n%s", diff)
	}
}

func TestReasonsAndWarningsAreComplete(t *testing.T) {
	for _, r := range convertor.Reasons {
		if r.Hint() == "" {
			t.Errorf("reason %s has no hint", r)
		}
	}
	if hint := convertor.Reason("bored").Hint(); hint != "" {
		t.Errorf("a reason that does not exist has the hint %q", hint)
	}
	equal(t, "number of reasons", len(convertor.Reasons), 8)
	equal(t, "number of kinds of warnings", len(convertor.WarningReasons), 12)
}
