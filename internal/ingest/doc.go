// Package ingest creates tasks from requests: it stores a file or rows, inspects their head, and
// commits the task whose rows a worker reads. The API, the pages and the schedules use it.
//
// Promise: a task and its file are stored together or not at all, even if the response to a commit
// is lost. A repeated request creates one task (Attempt, options.dedup). A fault in a request is an
// Error with a stable code and the position of the fault in the request.
//
// The package does not depend on HTTP: the caller authenticates, reads the body and writes the response.
// Package importers recognizes and reads files.
package ingest
