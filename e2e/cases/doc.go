// Package cases holds tests that run the eurekube program against a real
// control plane (package devcluster), with the rights that its chart asks for
// and nothing more, as Helm installs them.
//
// It is for what only a real API server shows: selectors, watches, deletion
// with grace, forbidden namespaces, audit. It is not for the wire format, for
// the table of which pods are listed, or for speed: the packages that own these
// have their own tests.
//
// Each test owns a namespace, an installation of the chart and a program, so
// that tests share nothing but the cluster. Tests that break the API server, or
// fill the cluster, do not run in parallel with others.
package cases
