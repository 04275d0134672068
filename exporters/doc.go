// Package exporters makes the files of exports: it plans their parts, stores the files of the parts,
// and merges them.
//
// It promises that a file has every row of every part, in the order of the plan, and the same bytes
// for any number of workers and crashes. A file is stored whole or not at all. A task is done only
// once its file is stored. Memory grows with neither rows nor parts.
//
//	POST /tasks ─▶ plan ─▶ parts: jobs like any ─▶ files of parts ─▶ merge ─▶ file
//
// A part is written as frames: runs of rows in the format of the file, each compressed separately. So
// parts are compressed side by side, and merging copies. The result of the job of a part lists its
// files, and is recorded once. Files of a run that was presumed dead are in no result, and a sweep
// deletes them.
//
// The package contains no HTTP, and uses a kind only through its definition.
package exporters

// Topic is the channel that is notified when an export waits to be planned.
const Topic = "export"
