// Package exporters makes the files of exports: it plans their parts, keeps what the
// parts write, and merges it.
//
// It promises that a file has every row of every part, in the order of the plan, and
// the same bytes however many workers wrote it and how often they died; that it is
// there whole or not at all; and that a task is done only once it is. Memory grows
// with neither rows nor parts.
//
//	POST /tasks ─▶ plan ─▶ parts: jobs like any ─▶ files of parts ─▶ merge ─▶ file
//
// A part is written as frames: runs of rows in the form that they have in the file,
// compressed one by one. So parts are compressed side by side, and merging copies.
// The result of the job of a part lists its files, and is recorded once. Files of a run that was
// presumed dead are in no result, and a sweep deletes them.
//
// The package contains no HTTP, and uses a kind only through its definition.
package exporters

// Topic is the channel that is notified when an export waits to be planned.
const Topic = "export"
