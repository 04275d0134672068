// Package client calls a Rollcall service over HTTP: it creates tasks, waits for them, and reads,
// repairs and resubmits their rows.
//
// Waiting costs the service little: the client polls at the pace that the service requests, and the
// service answers 304 while the task is unchanged. The client streams files and never holds a whole
// file in memory. A repeated POST has the Idempotency-Key of the first POST, so that the request
// has one effect. For a rejected request, the client returns a *Problem with a stable Code.
//
// The package imports only the standard library.
package client
