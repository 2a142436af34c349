package convertor

// The label prefixes that opt a pod in unless the operator names others.
const (
	PrefixEurekube = "eurekube.io"
	// PrefixChoerodon has the rules of Choerodon's registry: version and
	// metrics port are needed, and gateways made for that registry find the
	// metadata they look for.
	PrefixChoerodon = "choerodon.io"
)

// Rules are what the operator decides for all pods. They are read only, so any
// number of goroutines may share them.
type Rules struct {
	// Prefixes are label prefixes without a slash, in order of precedence: the
	// first one under which the pod has a service label rules that pod.
	Prefixes []string
	// IPFamily picks the address of dual-stack pods; empty means IPFamilyAuto.
	IPFamily IPFamily
	// Unready says what becomes of running pods that are not ready; empty
	// means UnreadyOmit.
	Unready Unready
	// Zone is the topology zone of a node, empty when unknown. It is asked for
	// pods that carry no zone label; nil when nodes cannot be read (field case
	// 84). It must be safe to call from as many goroutines as call Convert.
	Zone func(nodeName string) string
}

// IPFamily picks one of the addresses of a dual-stack pod (field case 73).
type IPFamily string

// The choices of an address. Auto takes the one that Kubernetes calls the
// pod's first.
const (
	IPFamilyAuto IPFamily = "auto"
	IPFamilyIPv4 IPFamily = "ipv4"
	IPFamilyIPv6 IPFamily = "ipv6"
)

// Unready says what becomes of running pods that are not ready (field case 68).
type Unready string

// Omit leaves unready pods out. Down lists them as DOWN, or as STARTING before
// they were ever ready, for tools that want to see them.
const (
	UnreadyOmit Unready = "omit"
	UnreadyDown Unready = "down"
)
