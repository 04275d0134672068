// Package exporters writes the files of exports. It plans the parts of a file, stores them, and merges
// them.
//
// A complete file contains every row of every part, in the order of the plan. Its bytes do not depend on
// the number of workers or on crashes. A file is stored whole or not at all. An export succeeds only after
// its file is stored. Only the plan is in memory as a whole, so memory does not grow with the number of
// rows.
//
//	POST /tasks ─▶ plan ─▶ parts: ordinary jobs ─▶ files of parts ─▶ merge ─▶ file
//
// A part is written as frames. A frame is a sequence of rows in the format of the file, compressed
// separately. Parts are therefore compressed in parallel, and the merge only copies. The result of a part's
// job lists the files of the part, and is recorded once. A later run continues after the rows that an earlier
// run has saved. A sweep deletes files of runs that did not complete, if no result lists them.
//
// The package uses no HTTP, and uses kinds only through their definitions.
package exporters

// Topic is the topic of queue.Client.Notify for exports that wait to be planned.
const Topic = "export"
