package auth

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"hash"
	"io"
	"sync"
)

// fingerprint stands for a user and a password in memory. Without the key of
// this process it tells nothing of either.
type fingerprint [sha256.Size]byte

// fingerprinter makes fingerprints. Any number of goroutines may use it at once.
type fingerprinter struct {
	hashes sync.Pool // of hash.Hash, since keying one costs as much as using it
}

func newFingerprinter() *fingerprinter {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // it never fails
	return &fingerprinter{hashes: sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}}
}

// of is the fingerprint of a pair. A user has no colon in it, so no two pairs
// are the same text.
func (p *fingerprinter) of(user, password string) fingerprint {
	h := p.hashes.Get().(hash.Hash)
	defer p.hashes.Put(h)
	h.Reset()
	_, _ = io.WriteString(h, user) // a hash takes everything
	_, _ = io.WriteString(h, ":")
	_, _ = io.WriteString(h, password)
	var f fingerprint
	h.Sum(f[:0])
	return f
}
