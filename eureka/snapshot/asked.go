package snapshot

import (
	"sync/atomic"
	"time"

	"github.com/eurekube/eurekube/eureka/codec"
)

// keepWarm is how long after a read the publisher goes on encoding a form ahead
// of the readers: two polling intervals of a default client.
const keepWarm = time.Minute

// asked remembers when each form of each collection was read last, in seconds
// since 1970. What nobody reads is not encoded; what is read is ready before the
// next reader comes.
type asked [2][codec.Forms][2]atomic.Int64

// note remembers a read. It writes once a second at most: a line of memory that
// every reader writes would be the one thing that they wait for.
func (a *asked) note(kind int, f codec.Form, zip bool, now time.Time) {
	at := &a[kind][f][index(zip)]
	if s := now.Unix(); at.Load() != s {
		at.Store(s)
	}
}

// warm encodes the pieces of s in the forms that were read lately.
func (a *asked) warm(s *Snapshot, now time.Time) {
	oldest := now.Add(-keepWarm).Unix()
	for kind, c := range [...]*collection{full: s.full, delta: s.delta} {
		for f := range codec.Form(codec.Forms) {
			for _, zip := range []bool{false, true} {
				if a[kind][f][index(zip)].Load() > oldest {
					c.warm(f, zip)
				}
			}
		}
	}
}
