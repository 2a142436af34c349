package auth

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"
)

// Judge is the status that r deserves: 200 when it carries the credentials of a
// user, as HTTP Basic. Otherwise the answer has to have that status, and no body
// that a client could take for something else; what belongs in its headers is put
// into answer. It is 401 for wrong or no credentials, and 503 while nobody can say
// whether they are right: a 401 would have people look for a mistake that they did
// not make. Without a file everybody is a user. Nothing of a failure is logged,
// since people mistake fields.
func (f *File) Judge(answer http.Header, r *http.Request) (status int) {
	if f == nil {
		return http.StatusOK
	}
	user, password, shown := r.BasicAuth()
	if shown {
		right, err := f.Verify(r.Context(), user, password)
		switch {
		case err != nil:
			answer.Set("Retry-After", "1")
			return http.StatusServiceUnavailable
		case right:
			return http.StatusOK
		}
	}
	answer.Set("WWW-Authenticate", `Basic realm="eureka", charset="UTF-8"`)
	return http.StatusUnauthorized
}

// busyPause is how long to wait until somebody may know whether credentials are right.
const busyPause = time.Second

// Lapsed is for an answer that goes on: it waits until the credentials of r are those
// of a user no more, which is seen as soon as the file is replaced, and reports true,
// or false when ctx ends first. Credentials that nobody can judge hold until somebody
// can.
func (f *File) Lapsed(ctx context.Context, r *http.Request) bool {
	user, password, _ := r.BasicAuth()
	for {
		t := f.current.Load() // before the verdict, which may be on a later one
		right, err := f.Verify(ctx, user, password)
		if err == nil && !right {
			return true
		}
		var again <-chan time.Time // never
		if err != nil {
			again = time.After(busyPause + rand.N(busyPause))
		}
		select {
		case <-ctx.Done():
			return false
		case <-t.replaced:
		case <-again:
		}
	}
}
