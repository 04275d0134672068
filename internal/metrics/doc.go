// Package metrics is what a process tells Prometheus about itself: a registry of
// its own, and one method for each thing that happens.
//
// It promises that no label grows with what users send: kinds are those that the
// program knows, codes and routes beyond a bound are told as OTHER. Counting one
// run of a job takes no lock that others hold and asks nobody.
//
// It knows Prometheus and none of the rooms; the wiring tells it what they do.
package metrics
