// Package devcluster runs a real Kubernetes control plane on loopback: etcd,
// kube-apiserver, kube-controller-manager, kube-scheduler and kwok, each a
// process of its own, all of them one Go binary (cmd/devcluster) built from
// published modules. No container engine and no download of programs is needed.
//
// It is for tests and for a developer's machine. There are no kubelets and no
// container runs: pods bound to the nodes named [FakeNodes] are moved through
// their life by kwok, the status of any other pod is patched by the test, which
// may then give it an address of its choice (a loopback address too) and hold
// it in any state. Nothing is kept when the cluster stops, and nothing is safe
// from other users of the machine beyond a random token.
//
// The package itself imports no part of the control plane, so that a test that
// uses it compiles in seconds.
package devcluster
