package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/eurekube/eurekube/internal/buildinfo"
)

// Sources are the places where pods come from. Both may be on.
type Sources struct {
	APIServer bool
	Manifests bool
}

// Sources decides by what was given. An API server that is asked for by flag
// counts always, and so does the one of the cluster that the program runs in.
func (o *Options) Sources() Sources {
	return Sources{
		APIServer: o.asksForAPIServer() || o.inCluster() || o.heedsKUBECONFIG(),
		Manifests: o.Manifests != "",
	}
}

// heedsKUBECONFIG reports whether that variable alone names the API server. Many
// people have it set at all times, so in a run on manifests it does not count,
// inside a cluster neither: it neither drags a cluster in nor puts another one
// in the place of the program's own.
func (o *Options) heedsKUBECONFIG() bool {
	return o.env["KUBECONFIG"] != "" && o.Manifests == ""
}

func (o *Options) asksForAPIServer() bool {
	return o.Kubeconfig != "" || o.Context != "" || o.Master != ""
}

// inCluster needs the token too: a pod without one runs in a cluster, but not
// to ask it anything.
func (o *Options) inCluster() bool {
	if o.env["KUBERNETES_SERVICE_HOST"] == "" {
		return false
	}
	_, err := os.Stat(o.tokenFile)
	return err == nil
}

// Load on the API server. At start there are one list and one watch for each
// namespace and prefix, which client-go's default of 5 a second would stretch
// over the time that clients wait; afterwards there is next to nothing.
const (
	apiServerQPS   = 50
	apiServerBurst = 200
)

// RestConfig says how to reach the API server, in protobuf. Clients of objects
// that have no protobuf form set their own content type. It reads files and
// makes no connection.
func (o *Options) RestConfig() (*rest.Config, error) {
	config, err := o.loadRestConfig()
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = apiServerQPS, apiServerBurst
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	config.UserAgent = "eurekube/" + buildinfo.Read().Version
	return config, nil
}

func (o *Options) loadRestConfig() (*rest.Config, error) {
	if o.byServiceAccount() {
		config, err := rest.InClusterConfig()
		if err != nil {
			return nil, fmt.Errorf("configuration inside the cluster: %w", err)
		}
		return config, nil
	}
	config, err := o.kubeconfig().ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		// client-go's own text names a variable that we do not read.
		err = o.withoutAPIServer()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.typedAPIServer(), err)
	}
	return config, nil
}

// withoutAPIServer says why the files that were looked at name no API server.
// client-go passes over those of KUBECONFIG that are not there.
func (o *Options) withoutAPIServer() error {
	isThere := func(file string) bool {
		_, err := os.Stat(file)
		return err == nil
	}
	if !o.asksForAPIServer() && !slices.ContainsFunc(filepath.SplitList(o.env["KUBECONFIG"]), isThere) {
		return errors.New("there is no such file")
	}
	return errors.New("names no API server")
}

// byServiceAccount reports whether the API server is the one of the cluster that
// the program runs in.
func (o *Options) byServiceAccount() bool {
	return !o.asksForAPIServer() && !o.heedsKUBECONFIG()
}

// ownNamespace is where objects of ours belong: the namespace of the service
// account, or that of the kubeconfig's context.
func (o *Options) ownNamespace() (string, error) {
	if o.byServiceAccount() {
		content, err := os.ReadFile(filepath.Join(filepath.Dir(o.tokenFile), "namespace"))
		if err != nil {
			return "", fmt.Errorf("namespace of the service account: %w", err)
		}
		return strings.TrimSpace(string(content)), nil
	}
	namespace, _, err := o.kubeconfig().Namespace()
	if err != nil {
		return "", fmt.Errorf("namespace of %s: %w", o.typedAPIServer(), err)
	}
	return namespace, nil
}

// kubeconfig reads files when it is asked.
func (o *Options) kubeconfig() clientcmd.ClientConfig {
	rules := &clientcmd.ClientConfigLoadingRules{
		ExplicitPath: o.Kubeconfig,
		Precedence:   []string{clientcmd.RecommendedHomeFile},
	}
	if variable := o.env["KUBECONFIG"]; variable != "" {
		rules.Precedence = filepath.SplitList(variable)
	}
	overrides := &clientcmd.ConfigOverrides{CurrentContext: o.Context}
	overrides.ClusterInfo.Server = o.Master
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides)
}

// typedAPIServer is the choice of an API server as the operator wrote it.
func (o *Options) typedAPIServer() string {
	for _, flag := range []string{"kubeconfig", "context", "master"} {
		if o.flags.Lookup(flag).Changed {
			return o.typed(flag)
		}
	}
	return "KUBECONFIG=" + o.env["KUBECONFIG"]
}
