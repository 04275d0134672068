// Package client speaks with a Rollcall service over HTTP: it starts tasks,
// waits for them politely, and reads, repairs and resubmits their rows.
//
// It promises that waiting costs the service little (what has not changed is
// answered 304, and the pace is the one the service asks for), that a file is
// streamed and never held in memory, and that a request which may or may not
// have arrived is sent again under the same Idempotency-Key, so that it is done
// once. What the service refuses comes back as a *Problem with a stable Code.
//
// It knows the standard library and the contract, no other room of the house:
// a program that imports it gets neither a database nor a web framework.
package client
