// Package client calls a Rollcall service over HTTP: it creates tasks, waits for them, and reads,
// repairs and resubmits their rows.
//
// It promises that waiting costs the service little: an unchanged task is answered with 304, at the
// pace that the service requests. A file is streamed and never held in memory. A request that may have
// arrived is sent again under the same Idempotency-Key, so that it has one effect. A rejected request
// returns a *Problem with a stable Code.
//
// It imports only the standard library: a program that imports it gets no database and no web
// framework.
package client
