// Package metrics holds the Prometheus metrics of a process: a registry, and one method per event.
//
// It promises that no label grows with data of users: kinds are those of the program, and codes and
// routes beyond a bound are reported as OTHER. Counting one run of a job takes no lock of others
// and makes no query.
//
// It depends on Prometheus alone; package boot connects it to the other packages.
package metrics
