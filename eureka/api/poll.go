package api

import (
	"fmt"
	"net/http"
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
// nothing of what the client has seen, so it is answered at once.
func (a *API) await(w *response, r *http.Request, p poll) *snapshot.Snapshot {
	s := a.config.Snapshot()
	if p.wait == 0 {
		return s
	}
	since := p.since
	if p.now {
		since = s.Token()
	}
	a.extend(w, p.wait)
	defer w.waitedSince(time.Now())
	timeout := time.NewTimer(p.wait)
	defer timeout.Stop()
	for s.Token() == since {
		select {
		case <-s.Moved():
			s = a.config.Snapshot()
		case <-timeout.C:
			return a.config.Snapshot()
		case <-a.config.Stopping:
			return a.config.Snapshot()
		case <-r.Context().Done():
			return s
		}
	}
	return s
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
