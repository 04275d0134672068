// Package traces sends a trace of each task, from its upload to its callbacks, to an OpenTelemetry
// collector.
//
// A trace needs no data in the task. Its id is the id of the task, and the id of its first span is
// derived from the id of the task. Any process can thus add spans at any time. Without a collector
// no spans are created. An unreachable or slow collector does not delay work, because spans that it
// does not accept are dropped.
//
// The package depends only on OpenTelemetry. Package boot connects it to the other packages.
package traces
