// Package snapshot freezes the registry into versions that readers share: one
// [Snapshot] holds the full list, the recent changes, the hash code and, once
// somebody asked for them, the bytes of each answer.
//
// Data runs one way: a [Publisher] drains the registry after a short holdoff
// and swaps one atomic pointer, which readers load without a lock. A collection
// is kept in pieces of one or two hundred instances, each encoded and deflated
// apart, so that one change costs the bytes of its own piece; answers are joins
// of ready pieces. Whoever needs a piece first encodes it, the publisher ahead of
// the forms that are read or else a reader, and others who need it then wait.
//
// Answers about one application or one VIP are encoded for their first reader in
// a version and kept as far as a budget of bytes goes, beyond it for each request.
// A single instance is never kept: package api encodes it each time.
//
// Each snapshot also holds the changes that led to it, of three minutes, numbered
// and encoded once: whoever follows them remembers a [Token], asks for what came
// [Snapshot.Since] then, and waits for the channel of [Snapshot.Moved]. A follower
// has no queue and no place in the publisher, so there may be any number of them.
//
// It is not for HTTP: package api decides which answer a request gets.
package snapshot
