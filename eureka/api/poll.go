package api

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/eurekube/eurekube/eureka/snapshot"
)

// maxWait bounds the parameter wait: proxies and load balancers end what is
// silent for a minute.
const maxWait = time.Minute

// tokenHeader carries the token of the snapshot that an answer is of.
const tokenHeader = "Eurekube-Token"

// poll is what a read of the delta waits for.
type poll struct {
	wait  time.Duration // 0 for not at all
	since snapshot.Token
	now   bool // without since: for the first change after the request
}

// pollOf reads the parameters wait, a duration such as 30s, and since.
func pollOf(query string) (poll, error) {
	p := poll{now: true}
	if since, present := first(query, "since"); present {
		token, err := snapshot.ParseToken(since.value)
		if err != nil || since.malformed {
			return poll{}, badRequest("since is " + err.Error())
		}
		p.since, p.now = token, false
	}
	if wait, present := first(query, "wait"); present {
		d, err := time.ParseDuration(wait.value)
		if err != nil || wait.malformed || d < 0 || d > maxWait {
			return poll{}, badRequest(fmt.Sprintf("wait is no duration with a unit from 0s to %v, such as 30s", maxWait))
		}
		p.wait = d
	}
	return p, nil
}

// await returns the snapshot to answer p from: the current one as soon as it has
// changes after since, and in any case when the time is over, the client has gone
// or the server stops. A token of another server or of an earlier start says
// nothing of what the client has seen, so it is answered at once. The error is for
// whoever may not read any more, or sent a body that cannot be read.
func (a *API) await(w *response, r *http.Request, p poll) (*snapshot.Snapshot, error) {
	s := a.config.Snapshot()
	since := p.since
	if p.now {
		since = s.Token()
	}
	defer w.waitedSince(time.Now())
	timeout := time.NewTimer(p.wait)
	defer timeout.Stop()
	a.extend(w, p.wait)
	if err := a.discardBody(w, r, p.wait); err != nil {
		return nil, err
	}
	lasting, end := a.lasting(r)
	defer end()
	for s.Token() == since {
		select {
		case <-s.Moved():
			s = a.config.Snapshot()
		case <-timeout.C:
			return a.config.Snapshot(), nil
		case <-a.config.Stopping:
			return a.config.Snapshot(), nil
		case <-lasting.Context().Done():
			if r.Context().Err() != nil {
				return s, nil // there is nobody to answer
			}
			return s, a.judge(w, r)
		}
	}
	return s, nil
}

// extend has the connection last as much longer as the request may wait. Without
// it the server's timeout for reading a request would end the request's context,
// and that for writing could be over before the answer begins.
func (a *API) extend(w http.ResponseWriter, wait time.Duration) {
	deadline := time.Now().Add(wait + a.config.WriteTimeout)
	c := http.NewResponseController(w)
	// Only a writer without a connection, as tests have it, refuses.
	_ = c.SetReadDeadline(deadline)
	_ = c.SetWriteDeadline(deadline)
}

// maxIdleBody bounds the body of a request that has no use for one: as much as
// net/http reads after other requests for the connection to go on.
const maxIdleBody = 256 << 10

// discardBody reads the body that came with a poll, if there is one: until its end
// the server does not notice that the client has gone, and would wait for it before
// the answer. One that does not come within the wait is no reason to answer later.
func (a *API) discardBody(w *response, r *http.Request, wait time.Duration) error {
	if r.ContentLength == 0 {
		return nil
	}
	c := http.NewResponseController(w)
	_ = c.SetReadDeadline(time.Now().Add(wait)) // as in extend
	_, err := io.Copy(io.Discard, http.MaxBytesReader(w.ResponseWriter, r.Body, maxIdleBody))
	switch {
	case err == nil:
		a.extend(w, wait)
	case !errors.Is(err, os.ErrDeadlineExceeded):
		return unreadable(err, maxIdleBody)
	}
	return nil
}
