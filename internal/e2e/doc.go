// Package e2e tells whole stories: real binaries, real servers, a real file
// from upload to the last row, with processes killed in between.
//
// What must hold is read from the API as a frontend sees it, and from the
// ledger and the sample worker's catalogue in SQL. It holds only tests.
package e2e
