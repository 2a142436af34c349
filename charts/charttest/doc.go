// Package charttest tests what is delivered beside the program: the Helm chart,
// the plain manifests rendered from it, the demo pods, and the Dockerfile.
//
// It calls the real helm and helm-docs, whose versions are the tool lines of
// this module's go.mod, and needs neither a cluster nor a container engine. It
// is a module of its own so that Helm's dependencies never reach the program's.
// It is not for the chart's behaviour in a cluster; the e2e module installs it.
package charttest
