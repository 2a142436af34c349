package convertor

import "fmt"

// Warning is something odd about a pod that does not keep it from being
// listed.
type Warning struct {
	Reason WarningReason
	// Message is one line for the owner of the pod: what is wrong and what was
	// done instead.
	Message string
}

// WarningReason is the kind of a warning, and a label of a metric: the set is
// closed.
type WarningReason string

// The kinds of warnings, as people see them.
const (
	WarningBadPortLabel      WarningReason = "bad-port-label"
	WarningBadManagementPort WarningReason = "bad-management-port"
	WarningBadSecurePort     WarningReason = "bad-secure-port"
	WarningBadAdvertiseHost  WarningReason = "bad-advertise-host"
	WarningBadAdvertisePort  WarningReason = "bad-advertise-port"
	WarningBadStatus         WarningReason = "bad-status"
	// WarningBadVIP is for more names, or longer ones, than a pod may be looked up
	// by, and for a name with a blank in it.
	WarningBadVIP WarningReason = "bad-vip"
	// WarningBadPath is for a context path, or a path of the health or status URL,
	// that some client could not call.
	WarningBadPath WarningReason = "bad-path"
	// WarningBadGeeRPC is for a word that GeeRPC clients could not take for a
	// protocol.
	WarningBadGeeRPC WarningReason = "bad-geerpc"
	// WarningNotAHostName is for a service name that no URL can carry as its
	// host, such as user_service: clients that call http://user_service/
	// through a load balancer fail although the instance is listed.
	WarningNotAHostName WarningReason = "not-a-host-name"
	// WarningNoAddressOfFamily is for a pod without an address of the family
	// that the rules ask for.
	WarningNoAddressOfFamily WarningReason = "no-address-of-family"
	// WarningUnknownLabel is for a label or annotation under a prefix that nobody
	// reads, such as helath-path.
	WarningUnknownLabel WarningReason = "unknown-label"
)

// WarningReasons lists every kind, so that metrics can start at zero. Callers
// must not change it.
var WarningReasons = [...]WarningReason{
	WarningBadPortLabel,
	WarningBadManagementPort,
	WarningBadSecurePort,
	WarningBadAdvertiseHost,
	WarningBadAdvertisePort,
	WarningBadStatus,
	WarningBadVIP,
	WarningBadPath,
	WarningBadGeeRPC,
	WarningNotAHostName,
	WarningNoAddressOfFamily,
	WarningUnknownLabel,
}

// Hint is one line on what the owner of the pod can do.
func (r WarningReason) Hint() string {
	switch r {
	case WarningNotAHostName:
		return "Name the service with letters, digits, hyphens and dots."
	case WarningNoAddressOfFamily:
		return "Give the pod an address of that family, or choose another with --ip-family."
	}
	return "Correct it, or remove it."
}

type warnings []Warning

// add appends a warning. Values of labels and annotations go through
// [clipped], since an annotation may be 256 KiB long.
func (w *warnings) add(reason WarningReason, format string, args ...any) {
	*w = append(*w, Warning{Reason: reason, Message: fmt.Sprintf(format, args...)})
}

// clipped quotes the first 80 characters of a stranger's value.
func clipped(value string) string { return fmt.Sprintf("%.80q", value) }
