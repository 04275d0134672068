// Package web is Rollcall's HTTP side: the API that frontends poll and the pages that users see.
//
// It promises the contract, path by path and field by field. An answer with status 202 means that
// the upload is stored and the task committed. Every fault is a problem document in plain words,
// without a stack, a query or a path of the machine.
//
// Package web is the server: the list of routes, the steps before each handler, and the wiring. The steps
// are the client's address, language, credential, rate, Idempotency-Key and declared input. Handlers are
// in api, pages and ops. Packages request and render hold the code that these three share. Handlers call
// packages that do not depend on Gin: intake, manage, rows and explain. The server runs no job: it writes
// to the database and wakes the processes that run jobs.
package web
