package api

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

// getApps answers the full list. The query parameter regions is ignored: there
// are no remote regions (protocol section 5.19).
func (a *API) getApps(w *response, r *http.Request) error {
	s, form, zip := a.config.Snapshot(), collectionForm(r.Header), acceptsGzip(r.Header)
	tag := etag{a.nonce, 'f', s.Version(), form, zip}
	w.token(s)
	return w.body(r, form, zip, tag, func() snapshot.Body { return s.Full(form, zip) })
}

// getDelta answers the changes of the last three minutes, at once or when there is
// a further one.
func (a *API) getDelta(w *response, r *http.Request) error {
	p, err := pollOf(r.URL.RawQuery)
	if err != nil {
		return err
	}
	s := a.config.Snapshot()
	if p.wait > 0 {
		if s, err = a.await(w, r, p); err != nil {
			return err
		}
	}
	form, zip := collectionForm(r.Header), acceptsGzip(r.Header)
	tag := etag{a.nonce, 'd', s.Serial(), form, zip}
	w.token(s)
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
	return w.body(r, form, false, tag, body)
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

// getInstance answers one instance by its app and id, or by an id that the
// application of a pod registered with.
func (a *API) getInstance(w *response, r *http.Request) error {
	app, id := target(r)
	return a.instance(w, r, app, id)
}

// getInstanceByID answers one instance by its id, or by an id that the
// application of a pod registered with, as getInstance does.
func (a *API) getInstanceByID(w *response, r *http.Request) error {
	id := variable(r, "id")
	if inst := a.config.Snapshot().InstanceByID(id); inst != nil {
		return a.instance(w, r, inst.App, inst.ID)
	}
	if app, ok := a.config.Registry.AppOfRegistered(id); ok {
		return a.instance(w, r, app, id)
	}
	return errNotFound
}

// instance answers one instance as it is at this moment, its lease included: it
// is what people and clients read after they changed it. It is encoded for each
// request, for a single one costs less than keeping its bytes.
func (a *API) instance(w *response, r *http.Request, app, id string) error {
	record, _ := a.config.Registry.Lookup(app, id)
	if record.Listed == nil {
		return errNotFound
	}
	inst := record.Listed
	if a.config.Leases != nil && record.PodKey == "" {
		if now, ok := a.config.Leases.Lease(record.App, record.ID); ok {
			renewed := *inst // the listed one is shared
			renewed.Lease = now
			inst = &renewed
		}
	}
	form := instanceForm(r.Header)
	w.document(http.StatusOK, form, form.AppendInstance(nil, inst))
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

// token has the client know from where it may go on.
func (w *response) token(s *snapshot.Snapshot) {
	w.Header()[tokenHeader] = []string{s.Token().String()}
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
func (w *response) document(code int, form codec.Form, text []byte) {
	h := w.Header()
	h.Set("Vary", "Accept")
	h.Set("Content-Type", form.ContentType())
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.format = form.String()
	w.WriteHeader(code)
	_, _ = w.Write(text) // as in body; net/http drops it for HEAD
}

// getStream answers events.
func (a *API) getStream(w *response, r *http.Request) error {
	w.format = "event-stream"
	defer w.waitedSince(time.Now())
	r, end := a.lasting(r)
	defer end()
	a.config.Stream.ServeHTTP(w, r)
	return nil
}

// getHome answers the page for people.
func (a *API) getHome(w *response, r *http.Request) error {
	w.format = "html"
	a.config.Home.ServeHTTP(w, r)
	return nil
}
