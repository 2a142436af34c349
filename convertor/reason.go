package convertor

// Reason says why a pod that opted in is not listed. It is the error that
// [Convert] returns, and a label of a metric: the set is closed.
type Reason string

// The reasons, as people see them.
const (
	ReasonTerminating        Reason = "terminating"
	ReasonFinished           Reason = "finished"
	ReasonNotReady           Reason = "not-ready"
	ReasonNoIP               Reason = "no-ip"
	ReasonNoServiceName      Reason = "no-service-name"
	ReasonNoVersionLabel     Reason = "no-version-label"
	ReasonNoMetricsPortLabel Reason = "no-metrics-port-label"
	ReasonNoPort             Reason = "no-port"
)

// Reasons lists every reason in the order in which Convert looks for them, so
// that metrics can start at zero. Callers must not change it.
var Reasons = [...]Reason{
	ReasonTerminating,
	ReasonFinished,
	ReasonNotReady,
	ReasonNoIP,
	ReasonNoServiceName,
	ReasonNoVersionLabel,
	ReasonNoMetricsPortLabel,
	ReasonNoPort,
}

// Error is the reason's name.
func (r Reason) Error() string { return string(r) }

// Hint is one line on what the owner of the pod can do, empty for a reason
// that is none of [Reasons]. Where it says <prefix>, that of the pod belongs
// ([Prefix]).
func (r Reason) Hint() string { return hints[r] }

var hints = map[Reason]string{
	ReasonTerminating:        "Nothing to do: a pod leaves the registry when its deletion is requested.",
	ReasonFinished:           "Nothing to do if this is a job; otherwise see with kubectl describe pod why its containers ended.",
	ReasonNotReady:           "See the pod's conditions with kubectl describe pod; it is listed once it is Running and its Ready condition is True.",
	ReasonNoIP:               "Wait until the kubelet reports an address; if none comes, look at the network plugin of the node.",
	ReasonNoServiceName:      "Give the label <prefix>/service, or the annotation of the same name, the name of the service.",
	ReasonNoVersionLabel:     "Add the label choerodon.io/version, or use the labels of eurekube.io, where it may be absent.",
	ReasonNoMetricsPortLabel: "Add the label choerodon.io/metrics-port, or use the labels of eurekube.io, where management-port may be absent.",
	ReasonNoPort:             "Declare a TCP port in the container, or put its number into the label or annotation <prefix>/port.",
}
