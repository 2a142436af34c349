package api

import (
	"context"
	"net/http"

	"k8s.io/klog/v2"
)

// by is the context of a write, whose logger says who writes: what the write changes
// has a line in the log. replica says that a peer passes it on; then the peer is told
// of, and not its client, whom nobody knows here.
func (a *API) by(r *http.Request, replica bool) context.Context {
	values := []any{"remote", r.RemoteAddr}
	if a.knowsWriters() {
		user, _, _ := r.BasicAuth() // judged before
		values = append(values, "user", user)
	}
	if replica {
		values = append(values, "replica", true)
	}
	return klog.NewContext(r.Context(), klog.FromContext(r.Context()).WithValues(values...))
}
