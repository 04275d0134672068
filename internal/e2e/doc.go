// Package e2e holds scenario tests: real binaries, real servers, a real file from upload to the
// last row, and killed processes.
//
// The tests check the API as a frontend does, and the ledger and the sample worker's catalogue in
// SQL. The package contains only tests.
package e2e
