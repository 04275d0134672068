// Package deployments holds what the service is run with: an image, compose,
// Kubernetes, systemd, and in migrations the ledger's schema.
//
// Its tests hold those files to the programs without any engine: each setting is
// one that the programs know and accept, each probe is answered, nobody kills a
// process that is still stopping. make deployments-test
// builds the Kubernetes folders with kustomize itself. No test shows that an engine
// accepts the files. docs/run/install.md describes their use.
package deployments
