package auth

import (
	"bytes"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"golang.org/x/crypto/bcrypt"
)

// table is the users of one content of the file.
type table struct {
	users map[string]*credential
	// decoy is the costliest hash of the file, nil when there is none. Whoever
	// fails is compared with it, so that the time of a refusal does not tell
	// which users there are.
	decoy []byte
	// replaced is closed when another table is in force.
	replaced chan struct{}
}

// credential is what one user has to show.
type credential struct {
	// hash is a bcrypt hash, nil for a password that stands in the file.
	hash []byte
	// known is the fingerprint of the right user and password: from the file, or
	// from the last time that bcrypt agreed. nil until then.
	known atomic.Pointer[fingerprint]
}

// remember takes over from before, which may be nil, what bcrypt said of users whose
// hash is the same: that one user came costs the others nothing.
func (t *table) remember(before *table) {
	if before == nil {
		return
	}
	for user, c := range t.users {
		if was := before.users[user]; was != nil && c.hash != nil && bytes.Equal(was.hash, c.hash) {
			c.known.Store(was.known.Load())
		}
	}
}

// knows reports whether shown is the fingerprint of the right user and password.
// It may be called of no credential.
func (c *credential) knows(shown fingerprint) bool {
	if c == nil {
		return false
	}
	known := c.known.Load()
	return known != nil && subtle.ConstantTimeCompare(known[:], shown[:]) == 1
}

// maxCost bounds bcrypt: each step doubles the time, and at 15 a first request
// already takes seconds.
const maxCost = 15

// parse reads lines of user:password and user:hash. Errors name the line and
// never quote it.
func parse(content []byte, key *fingerprinter) (*table, error) {
	t := &table{users: make(map[string]*credential), replaced: make(chan struct{})}
	cost := 0
	for n, line := range strings.Split(string(content), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		user, secret, found := strings.Cut(line, ":")
		switch {
		case !found:
			return nil, fmt.Errorf("line %d: no colon between user and password", n+1)
		case user == "":
			return nil, fmt.Errorf("line %d: no user", n+1)
		case secret == "":
			return nil, fmt.Errorf("line %d: no password", n+1)
		case t.users[user] != nil:
			return nil, fmt.Errorf("line %d: a user of an earlier line", n+1)
		}
		c, itsCost, err := newCredential(user, secret, key)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		t.users[strings.Clone(user)] = c // a part of the line would keep the whole file in memory
		if itsCost > cost {
			t.decoy, cost = c.hash, itsCost
		}
	}
	if len(t.users) == 0 {
		return nil, errors.New("no user in it")
	}
	return t, nil
}

// newCredential reads what stands after the colon, and the cost of a hash.
func newCredential(user, secret string, key *fingerprinter) (*credential, int, error) {
	c := &credential{}
	if !isHash(secret) {
		f := key.of(user, secret)
		c.known.Store(&f)
		return c, 0, nil
	}
	cost, err := bcrypt.Cost([]byte(secret))
	switch {
	case err != nil || !strings.HasPrefix(secret, "$2"):
		// Taking the text for a password would let in whoever has seen the file.
		return nil, 0, errors.New("a hash that is not bcrypt (htpasswd -B makes one)")
	case cost > maxCost:
		return nil, 0, fmt.Errorf("bcrypt cost %d is above %d", cost, maxCost)
	}
	c.hash = []byte(secret)
	return c, cost, nil
}

// isHash reports whether secret has the form of a hash by any of the tools that
// write such files: $id$… or {ID}….
func isHash(secret string) bool {
	if strings.HasPrefix(secret, "{SHA}") || strings.HasPrefix(secret, "{SSHA}") {
		return true
	}
	if !strings.HasPrefix(secret, "$") {
		return false
	}
	id, _, found := strings.Cut(secret[1:], "$")
	return found && id != "" && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}
