// Package controller follows pods and tells the registry which instances they
// are.
//
// Data runs one way: a source of pods (the API server, a directory of
// manifests) → an informer, which holds each pod trimmed to what the convertor
// reads → the pod's name in a queue, where changes fold → a worker, which asks
// the informers what is true now → convertor.Convert → registry.Replace. The
// name in the queue never says what happened, so a lost, doubled or late event
// cannot do harm.
//
// Beside pods it keeps what operators say of them: overrides of status live in one
// ConfigMap. Without an API server they end with the process. What a person has to
// mend about a pod, it says by an Event on the pod. Nothing else is ever written
// to the API server.
//
// It is not for the rules of what a pod becomes (package convertor), for
// answers to clients (packages snapshot and api), for HTTP of any kind, or for
// instances that register themselves (package lease).
package controller
