// Package snapshot freezes the registry into versions that readers share: one
// [Snapshot] holds the full list, the recent changes, the hash code and, once
// somebody asked for them, the bytes of each answer.
//
// Data runs one way: a [Publisher] drains the registry after a short holdoff
// and swaps one atomic pointer. A collection is kept in pieces of one or two
// hundred instances, each encoded and deflated apart, so that one change costs the
// bytes of its own piece; answers are joins of ready pieces. A reader takes no
// lock that a writer holds, and nothing is encoded twice for one version.
//
// It is not for HTTP: package api decides which answer a request gets.
package snapshot
