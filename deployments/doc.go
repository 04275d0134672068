// Package deployments holds the files that deploy the service: an image, compose, Kubernetes and
// systemd. Its folder migrations holds the schema of the ledger.
//
// Its tests compare these files with the programs, without a container engine. They show that the
// programs accept each setting and answer each probe, and that no file kills a process that is still
// stopping. The target deployments-test of make builds the Kubernetes folders with kustomize itself.
// No test shows that a container engine accepts the files. docs/run/install.md describes their use.
package deployments
