// Package web is Rollcall's HTTP server: the API that frontends poll and the pages that users see.
//
// Responses of the API follow the contract in openapi.yaml. When an upload is answered with status 202,
// the file is stored and the task is committed. The API answers each error with a problem document in
// plain words. The document contains no stack trace, no database query and no file path of the server.
//
// Package web holds the list of routes, the steps before each handler, and the wiring. The steps
// determine the address, language and credential of the client, and check its rate, Idempotency-Key and
// input. Handlers are in api, pages and ops, which share the code in packages request and render.
// Handlers call packages that do not depend on Gin: intake, manage, rows and explain. The server runs no
// job. It writes to the database, and wakes the processes that run jobs.
package web
