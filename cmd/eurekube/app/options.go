package app

import (
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/eurekube/eurekube/controller"
	"github.com/eurekube/eurekube/convertor"
)

// Options is what an operator decides, as docs/flags.md lists it. Fill it with
// NewOptions and Parse, check it with Validate; after that it is read only.
type Options struct {
	// Kubeconfig, Context and Master choose the API server as kubectl does.
	Kubeconfig, Context, Master string
	// Namespaces are watched; empty is all of them.
	Namespaces []string
	// LabelPrefixes opt pods in, in order of precedence.
	LabelPrefixes []string
	// Manifests is a directory of Pod manifests, empty for none.
	Manifests string
	// Listen is for Eureka clients, AdminListen for probes, metrics and
	// profiles; both host:port, port 0 picks a free one.
	Listen, AdminListen string
	// Unready and IPFamily are rules of package convertor.
	Unready  convertor.Unready
	IPFamily convertor.IPFamily
	// PodEvents says which Kubernetes Events are written on pods.
	PodEvents controller.PodEvents
	// PublishHoldoff is how long a change waits for others to be published with
	// it, PublishMaxHoldoff how long at most while changes go on.
	PublishHoldoff, PublishMaxHoldoff time.Duration
	// Drain is how long requests are answered after the order to stop.
	Drain time.Duration
	// TLSCert and TLSKey are PEM files; both empty is plain HTTP.
	TLSCert, TLSKey string
	// SelfRegistration is about instances that register themselves.
	SelfRegistration SelfRegistration
	// Bridge is about the registries of other protocols.
	Bridge Bridge
	// Webhook is about who is told of changes.
	Webhook Webhook
	// HeaderTimeout, WriteTimeout and IdleTimeout bound a client's connection.
	// The first is for the whole request: bodies are short.
	HeaderTimeout, WriteTimeout, IdleTimeout time.Duration

	flags     *pflag.FlagSet
	env       environment
	variables map[string]string // flag → variable that set it
	tokenFile string            // of the service account in a cluster
	misread   bool              // an argument meant nothing, so another may only seem to be missing
}

// NewOptions returns the defaults.
func NewOptions() *Options {
	return &Options{
		LabelPrefixes:     []string{convertor.PrefixEurekube, convertor.PrefixChoerodon},
		Listen:            ":8761",
		AdminListen:       ":8081",
		Unready:           convertor.UnreadyOmit,
		IPFamily:          convertor.IPFamilyAuto,
		PodEvents:         controller.PodEventsUnlisted,
		PublishHoldoff:    20 * time.Millisecond,
		PublishMaxHoldoff: 200 * time.Millisecond,
		SelfRegistration:  newSelfRegistration(),
		Bridge:            newBridge(),
		Webhook:           newWebhook(),
		Drain:             5 * time.Second,
		HeaderTimeout:     10 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       90 * time.Second,
		variables:         map[string]string{},
		tokenFile:         "/var/run/secrets/kubernetes.io/serviceaccount/token",
	}
}

// AddFlags defines a flag for each option, with the option's value as default.
func (o *Options) AddFlags(fs *pflag.FlagSet) {
	fs.StringVar(&o.Kubeconfig, "kubeconfig", o.Kubeconfig, "kubeconfig `file` that names the API server; not needed in a cluster")
	fs.StringVar(&o.Context, "context", o.Context, "`name` of the context in the kubeconfig")
	fs.StringVar(&o.Master, "master", o.Master, "`URL` of the API server, in place of the kubeconfig's")
	fs.Var((*list)(&o.Namespaces), "namespaces", "watch only these namespaces, separated by commas; none means all (also "+choerodonNamespaces+")")
	fs.Var((*list)(&o.LabelPrefixes), "label-prefix", "prefixes of the labels that opt pods in; the first one that a pod carries decides how it is read")
	fs.StringVar(&o.Manifests, "manifests", o.Manifests, "`directory` of Pod manifests to serve, watched for changes; needs no cluster")
	fs.StringVar(&o.Listen, "listen", o.Listen, "`address` for Eureka clients")
	fs.StringVar(&o.AdminListen, "admin-listen", o.AdminListen, "`address` for probes, metrics and profiles")
	fs.Var(oneOf(&o.Unready, convertor.UnreadyOmit, convertor.UnreadyDown), "unready", "`omit|down`: leave out running pods that are not ready, or list them as DOWN")
	fs.Var(oneOf(&o.IPFamily, convertor.IPFamilyAuto, convertor.IPFamilyIPv4, convertor.IPFamilyIPv6), "ip-family", "`auto|ipv4|ipv6`: which address of a dual-stack pod is listed; auto is the pod's first")
	fs.Var(oneOf(&o.PodEvents, controller.PodEventsNone, controller.PodEventsUnlisted, controller.PodEventsAll), "pod-events", "`none|unlisted|all`: which Kubernetes Events are written on pods: those about what keeps a pod from being listed as its owner means it, or with all also one for each pod that comes into the list or leaves it")
	fs.DurationVar(&o.PublishHoldoff, "publish-holdoff", o.PublishHoldoff, "shortest time between publications: a change that comes sooner waits and is published together with others")
	fs.DurationVar(&o.PublishMaxHoldoff, "publish-max-holdoff", o.PublishMaxHoldoff, "longest that a change waits while others keep coming")
	o.SelfRegistration.addFlags(fs)
	o.Bridge.addFlags(fs)
	o.Webhook.addFlags(fs)
	fs.DurationVar(&o.Drain, "drain", o.Drain, "how long requests are answered after the order to stop")
	fs.StringVar(&o.TLSCert, "tls-cert", o.TLSCert, "PEM `file` with the certificate of --listen and --callback-listen; a change is served within 10 s")
	fs.StringVar(&o.TLSKey, "tls-key", o.TLSKey, "PEM `file` with the key of --tls-cert")
	fs.DurationVar(&o.HeaderTimeout, "header-timeout", o.HeaderTimeout, "how long a client may take to send a request, its headers and its body")
	fs.DurationVar(&o.WriteTimeout, "write-timeout", o.WriteTimeout, "how long a client may take to read an answer")
	fs.DurationVar(&o.IdleTimeout, "idle-timeout", o.IdleTimeout, "how long a connection may wait for its next request; clients keep theirs for 45s")
}

// newFlagSet returns an empty set that keeps its order, and takes klog's names
// with "_" in the form of all others, with "-".
func newFlagSet() *pflag.FlagSet {
	fs := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	fs.SortFlags = false
	fs.Usage = func() {}
	fs.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
	})
	return fs
}
