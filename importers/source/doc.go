// Package source opens an uploaded file: it unpacks it, finds what it holds, finds the
// headings of a table, and hands out the rows one by one.
//
//	bytes ─▶ File ─┬▶ xlsx ─────┬▶ Table (headings and rows)
//	(unpacked and  ├▶ textfile ─┘
//	 recognised    └▶ jsonrows ──▶ JSON (rows)
//	 once)
//
// The promise: the content decides what a file is, whatever it is called. Rows come to their proved
// end, or with a *tabular.Problem: a short import never passes for a whole one. What is left out, or
// decided by the reader, is a warning.
//
// The package is independent of kinds, tasks, queue and HTTP: bytes go in, rows come out.
package source
