// Package deployments holds the files that deploy the service: an image, compose, Kubernetes and
// systemd. Its folder migrations holds the schema of the ledger.
//
// The tests of the package compare these files with the programs, without a container engine. They show that the
// programs accept each setting and answer each probe, and that the files leave a process enough
// time to stop. The target deployments-test of make also runs the image with buildah, and checks
// the files with kustomize, compose-go and Prometheus. No test starts a compose project or a
// Kubernetes cluster. docs/run/install.md describes the use of the files.
package deployments
