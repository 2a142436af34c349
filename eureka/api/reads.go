package api

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

// getApps answers the full list. The query parameter regions is ignored: there
// are no remote regions (protocol section 5.19).
func (a *API) getApps(w *response, r *http.Request) error {
	s, form, zip := a.config.Snapshot(), collectionForm(r.Header), acceptsGzip(r.Header)
	tag := etag{a.nonce, 'f', s.Version(), form, zip}
	return w.body(r, form, zip, tag, func() snapshot.Body { return s.Full(form, zip) })
}

// getDelta answers the changes of the last three minutes.
func (a *API) getDelta(w *response, r *http.Request) error {
	s, form, zip := a.config.Snapshot(), collectionForm(r.Header), acceptsGzip(r.Header)
	tag := etag{a.nonce, 'd', s.Serial(), form, zip}
	return w.body(r, form, zip, tag, func() snapshot.Body { return s.Delta(form, zip) })
}

// getApplication answers one application. It is never compressed: Spring's and
// Netflix's servers do not either (protocol section 2.4).
func (a *API) getApplication(w *response, r *http.Request) error {
	form := collectionForm(r.Header)
	body, version, ok := a.config.Snapshot().Application(strings.ToUpper(variable(r, "app")), form)
	if !ok {
		return errNotFound
	}
	tag := etag{a.nonce, 'a', version, form, false}
	return w.body(r, form, false, tag, func() snapshot.Body { return body })
}

func (a *API) getVIP(w *response, r *http.Request) error {
	return a.vip(w, r, false)
}

func (a *API) getSecureVIP(w *response, r *http.Request) error {
	return a.vip(w, r, true)
}

// vip answers the instances that have a VIP; none is an empty list, never 404.
func (a *API) vip(w *response, r *http.Request, secure bool) error {
	s, form, zip := a.config.Snapshot(), collectionForm(r.Header), acceptsGzip(r.Header)
	tag := etag{a.nonce, 'v', s.Version(), form, zip}
	return w.body(r, form, zip, tag, func() snapshot.Body {
		return s.VIP(variable(r, "vip"), secure, form, zip)
	})
}

func (a *API) getInstance(w *response, r *http.Request) error {
	inst := a.config.Snapshot().Instance(strings.ToUpper(variable(r, "app")), variable(r, "id"))
	return instance(w, r, inst)
}

func (a *API) getInstanceByID(w *response, r *http.Request) error {
	return instance(w, r, a.config.Snapshot().InstanceByID(variable(r, "id")))
}

// instance answers one instance. It is encoded for each request: a single one
// costs less than keeping its bytes, and it is read for its lease of this moment.
func instance(w *response, r *http.Request, inst *eureka.Instance) error {
	if inst == nil {
		return errNotFound
	}
	form := instanceForm(r.Header)
	w.document(form, form.AppendInstance(nil, inst))
	return nil
}

// body answers with a ready body, or with 304 if the client has it already.
func (w *response) body(r *http.Request, form codec.Form, zip bool, tag etag, get func() snapshot.Body) error {
	h := w.Header()
	h["Vary"] = vary
	h["Etag"] = []string{tag.String()}
	w.format = form.String()
	if tag.matches(r.Header) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	body := get()
	h["Content-Type"] = contentTypes[form]
	h["Content-Length"] = []string{strconv.Itoa(body.Len())}
	if zip {
		h["Content-Encoding"] = gzipped
	}
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = body.WriteTo(w) // the client is gone: nobody is left to tell
	}
	return nil
}

// Values of headers, shared by all answers, since one for each would be garbage.
var (
	// vary names the headers that a cache must compare.
	vary         = []string{"Accept, Accept-Encoding, X-Eureka-Accept"}
	gzipped      = []string{"gzip"}
	contentTypes = func() (types [codec.Forms][]string) {
		for f := range codec.Form(codec.Forms) {
			types[f] = []string{f.ContentType()}
		}
		return types
	}()
)

// document answers with text encoded for this request alone.
func (w *response) document(form codec.Form, text []byte) {
	h := w.Header()
	h.Set("Vary", "Accept")
	h.Set("Content-Type", form.ContentType())
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.format = form.String()
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(text) // as in body; net/http drops it for HEAD
}
