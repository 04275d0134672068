// Package web is Rollcall's HTTP side: the API that frontends poll and the pages that users see.
//
// It promises the contract, path by path and field by field; that an answer 202 means that the
// upload is stored and the task committed; and that every fault is a problem document in plain
// words, without a stack, a query or a path of the machine.
//
// It is the only package that knows Gin: it holds the routes, the middlewares and the handlers.
// Credentials (auth), what requests may bring (input), problems (problem), the JSON of answers
// (view) and the snapshots behind polls (taskcache) are packages below it, and internal/ingest
// makes tasks. It runs no job: it writes to the database and wakes the processes that do.
package web
