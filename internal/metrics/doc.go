// Package metrics holds the Prometheus metrics of a process: a registry, and the methods that change the
// metrics.
//
// The number of label values does not grow with data of users. The labels are the kinds of the program
// and the patterns of routes. Codes beyond a bound are reported as OTHER. Counting a run of a job needs
// no query.
//
// Besides Prometheus, the package uses only packages conns and version. Package boot connects it to the
// other packages.
package metrics
