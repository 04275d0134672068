// Package web is Rollcall's HTTP side: the API that frontends poll and the pages that users see.
//
// Responses of the API follow the contract in openapi.yaml. When an upload is answered with status 202,
// the file is stored and the task is committed. The API answers each error with a problem document in
// plain words. The document contains no stack, no database query and no path of the machine.
//
// Package web is the server: the list of routes, the steps before each handler, and the wiring. The
// steps check or choose the client's address, language, credential, rate, Idempotency-Key and declared
// input. Handlers are in api, pages and ops, which share the code in packages request and render.
// Handlers call packages that do not depend on Gin: intake, manage, rows and explain. The server runs
// no job: it writes to the database and wakes the processes that run jobs.
package web
