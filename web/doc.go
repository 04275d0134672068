// Package web is Rollcall's HTTP side: the API that frontends poll and the pages that users see.
//
// It promises the contract, path by path and field by field; that an answer 202 means that the
// upload is stored and the task committed; and that every fault is a problem document in plain
// words, without a stack, a query or a path of the machine.
//
// It is the server: the list of routes, the steps before each handler, and the wiring. The steps are
// the client's address, language, credential, rate, Idempotency-Key and declared input. Handlers are
// in api, pages and ops. Packages request and render hold their shared code. The packages that they
// call do not depend on Gin: intake, manage, rows and explain. Package web runs no job: it writes to
// the database and wakes the processes that run jobs.
package web
