// Package source opens an uploaded file: it unpacks the file, detects its format, finds the headings
// of a table, and returns the rows one by one.
//
//	bytes ─▶ File ─┬▶ xlsx ─────┬▶ Table (headings and rows)
//	(unpacked and  ├▶ textfile ─┘
//	 recognised    └▶ jsonrows ──▶ JSON (rows)
//	 once)
//
// The promise: the content decides about the format of a file, not its name. Rows are read to their
// proved end, or the reader returns a *tabular.Problem, so an incomplete import never looks complete.
// The reader warns of everything that it leaves out or decides.
//
// The package is independent of kinds, tasks, queue and HTTP: bytes go in, rows come out.
package source
