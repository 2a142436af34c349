// Package webhook tells other programs who came and who went: one POST of JSON for
// each change of the list, signed, in order, tried again until it is taken.
//
// It is for receivers that an operator names. It is not for clients that follow
// the list themselves, which read the stream or the delta, and not for callers that
// strangers name, which a bridge guards against.
package webhook
