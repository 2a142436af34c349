// Package apiserver is an API server that knows pods and nothing else: it lists
// and watches them, streamed lists included, in JSON and protobuf, as client-go
// asks for them.
//
// It is for measuring Eurekube without a cluster whose own work on the same
// cores would be measured too. It is not for tests of behaviour, which the e2e
// module runs on a real control plane: nothing is validated or stored, resource
// versions never expire, labels never change, and everything but pods is
// forbidden.
package apiserver
