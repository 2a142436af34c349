// Package convertor turns one pod into one Eureka instance, or says why the
// pod is not listed.
//
// It is pure: no I/O, no clock, no log, the same answer on every replica. It
// is not for watching pods (package controller) nor for merging what a pod and
// its application say of one process (package registry).
//
// A pod opts in with the label <prefix>/service. Its words come from labels
// under that prefix, or from annotations of the same name, which win because
// labels cannot hold a slash, a plus or more than 63 characters. A blank value
// counts as absent.
//
//	label            eurekube.io and others              choerodon.io
//	service name     service                             service
//	version          version, app.kubernetes.io/version  version (needed)
//	management port  management-port                     metrics-port (needed)
//	service port     port: number or name                port: number or name
//	optional         context-path, secure-port           context-path, secure-port
//
// As annotations only: metadata.<key>, advertise-host, advertise-port, status,
// vip, health-path, status-path and geerpc. Any other key under a prefix earns a warning,
// under Choerodon's none and under a prefix of one's own when it resembles these.
//
// What becomes of a pod; the first line that fits decides:
//
//	the pod is                          listed as
//	being deleted                       not: terminating, whatever its readiness
//	Succeeded or Failed                 not: finished
//	Pending, Unknown or of no phase     not: not-ready
//	without an address                  not: no-ip
//	not ready                           not: not-ready; or, when the rules say
//	                                    so, DOWN (STARTING before it was ever
//	                                    ready)
//	without a service name              not: no-service-name
//	choerodon.io without version        not: no-version-label
//	choerodon.io without metrics port   not: no-metrics-port-label
//	without a usable port               not: no-port
//	anything else                       UP
//
// A pod that is not listed because it is not ready or terminating may still be a
// running process, which can register itself: Convert describes it beside the
// reason, and [Endpoints] says where it is reached.
package convertor
