// Package web is Rollcall's HTTP side: the API that frontends poll and the pages that users see.
//
// It promises the contract, path by path and field by field; that an answer 202 means that the
// upload is stored and the task committed; and that every fault is a problem document in plain
// words, without a stack, a query or a path of the machine.
//
// It is the server: the list of routes, what each request passes before its handler (the client's
// address, language, credential, rate, Idempotency-Key, declared input), and the wiring. Handlers
// are in api, pages and ops. What they share is in request and render; what they call does not
// know Gin: intake, manage, rows and explain. It runs no job: it writes to the database and wakes
// the processes that do.
package web
