//go:build !all

package testenv

// All reports that the tests of `make test-all` run.
const All = false
