package auth

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"k8s.io/klog/v2"
)

// poll is how often the file is compared with what is in force. It is read and
// not watched, because Kubernetes replaces a mounted Secret by swapping symbolic
// links.
const poll = 5 * time.Second

// File is the users of a file with one user:password or user:hash a line, as
// htpasswd writes them with bcrypt; empty lines and lines that begin with # are
// skipped. Any number of goroutines may use it at once.
type File struct {
	path    string
	key     *fingerprinter
	current atomic.Pointer[table]
	read    [sha256.Size]byte // of the content that was read last, usable or not
	judge   *judge
}

// Open reads the file at path. A file that cannot be used is an error, which
// names the line and quotes nothing of it.
func Open(path string) (*File, error) {
	f := &File{path: path, key: newFingerprinter(), judge: newJudge()}
	if _, err := f.load(); err != nil {
		return nil, err
	}
	return f, nil
}

// load takes the file's content over and reports whether it differs from what
// was read last. An unusable one leaves what is in force alone.
func (f *File) load() (changed bool, err error) {
	content, err := os.ReadFile(f.path)
	if err != nil {
		return false, fmt.Errorf("read users: %w", err)
	}
	defer clear(content) // passwords may stand in it
	sum := sha256.Sum256(content)
	if sum == f.read {
		return false, nil
	}
	f.read = sum
	t, err := parse(content, f.key)
	if err != nil {
		return true, fmt.Errorf("users of %s: %w", f.path, err)
	}
	before := f.current.Load()
	t.remember(before)
	f.current.Store(t)
	if before != nil {
		close(before.replaced)
	}
	return true, nil
}

// Run follows the file until ctx ends: a change is in force within 10 seconds. Of the
// old content only that is remembered which still holds. A file that cannot be used
// is logged once and leaves the last good one in force.
func (f *File) Run(ctx context.Context) error {
	logger := klog.FromContext(ctx)
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	unreadable := false
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		changed, err := f.load()
		switch {
		case err != nil && (changed || !unreadable):
			logger.Error(err, "Users cannot be taken over, the last good ones stay")
		case err == nil && changed:
			logger.Info("Users replaced", "users", len(f.current.Load().users))
		}
		unreadable = err != nil && !changed
	}
}

// Verify reports whether user and password go together. A pair that was right
// once costs microseconds from then on, as long as the file stays the same; a
// wrong one costs a bcrypt comparison if the file has any hash, whoever the user
// is. Those who show one pair at the same time share its comparison. It waits for
// other comparisons, at most until ctx ends. An error, ErrBusy or that of ctx,
// says that it is not known whether the pair is right.
func (f *File) Verify(ctx context.Context, user, password string) (right bool, err error) {
	t := f.current.Load()
	shown := f.key.of(user, password)
	c := t.users[user]
	if c.knows(shown) {
		return true, nil
	}
	hash := t.decoy
	if c != nil && c.hash != nil {
		hash = c.hash
	}
	if hash == nil {
		return false, nil
	}
	return f.judge.of(ctx, attempt{t, shown}, func() bool {
		if c.knows(shown) {
			return true // since we looked: another verdict was given meanwhile
		}
		if f.judge.compare(hash, []byte(password)) != nil || c == nil || c.hash == nil {
			return false
		}
		c.known.Store(&shown)
		return true
	})
}
