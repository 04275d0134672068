// Package exporters writes the files of exports: it plans their parts, stores the files of the
// parts, and merges them.
//
// A complete file contains every row of every part, in the order of the plan. Its bytes do not
// depend on the number of workers or on crashes. A file is stored whole or not at all. An export
// succeeds only after its file is stored. Memory does not grow with the number of rows. Only a plan
// is in memory as a whole.
//
//	POST /tasks ─▶ plan ─▶ parts: ordinary jobs ─▶ files of parts ─▶ merge ─▶ file
//
// A part is written as frames: sequences of rows in the format of the file, each compressed
// separately. Parts are therefore compressed in parallel, and the merge only copies. The result of
// a part's job lists the files of the part, and is recorded once. Files of a run that was presumed
// dead are in no result; a sweep deletes them.
//
// The package uses no HTTP, and uses kinds only through their definitions.
package exporters

// Topic is the notification topic of exports that wait to be planned.
const Topic = "export"
