// Package fleet makes the pods that the benchmarks run on: any number of them,
// alike in shape to pods of Deployments, unlike in names, addresses and times.
//
// The same number gives the same pod, so two runs measure the same bytes. It is
// not for tests of the convertor, whose pods are small and odd.
package fleet
