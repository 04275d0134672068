//go:build !all

package testenv

// All reports whether the tests of `make test-all` run.
const All = false
