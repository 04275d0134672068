// Package ingest makes tasks of requests: it stores a file or rows, inspects their head, and
// commits the task whose rows a worker reads. The API, the pages and the schedules use it.
//
// It promises that a task and its file are kept together or not at all, also if the answer of a
// commit is lost; that a repeated request makes one task (Attempt, options.dedup); and that what
// a caller has done wrong is an Error with a stable code and the place in the request.
//
// It knows no HTTP: the caller authenticates, reads the body and writes the answer. Package
// importers recognizes and reads files.
package ingest
