// Package traces sends a trace of each task, from its upload to its callbacks, to a collector of
// OpenTelemetry.
//
// A trace needs no data in the task: its id is the task's, and the id of its first span follows from
// that, so any process can add spans at any time. Without a collector no spans are created. An
// unreachable or slow collector does not delay work: spans that it does not accept are dropped.
//
// It depends on OpenTelemetry alone; package boot connects it to the other packages.
package traces
