// Package source opens an uploaded file. It unpacks the file, detects its format, finds the headings
// of a table, and returns the rows one by one.
//
//	bytes ─▶ File ─┬▶ xlsx ─────┬▶ Table (headings and rows)
//	(unpacked and  ├▶ textfile ─┘
//	 recognized    └▶ jsonrows ──▶ JSON (rows)
//	 once)
//
// The content of a file, not its name, determines its format. If a file is incomplete, the reader
// returns a *tabular.Problem, so an incomplete import is never shown as complete. The reader adds
// warnings about the rows and columns that it leaves out, except blank rows.
//
// The package does not depend on kinds, tasks, the queue or HTTP.
package source
