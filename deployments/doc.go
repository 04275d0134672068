// Package deployments holds what the service is run with: an image, compose,
// Kubernetes, systemd, and in migrations the ledger's schema.
//
// Its tests compare those files with the programs, without an engine: the programs accept each
// setting and answer each probe, and no file kills a process that is still stopping. make deployments-test
// builds the Kubernetes folders with kustomize itself. No test shows that an engine
// accepts the files. docs/run/install.md describes their use.
package deployments
