// Package traces tells a collector of OpenTelemetry how each task went, from its
// upload to its callbacks.
//
// It promises that a trace needs nothing to travel with a task: its id is the task's,
// and the id of its first span follows from that, so any process can add to it at any
// time. Without a collector nothing is made or sent. A collector that is away, or slow,
// holds nobody up: what it does not take is dropped.
//
// It knows OpenTelemetry and none of the rooms; the wiring tells it what they do.
package traces
