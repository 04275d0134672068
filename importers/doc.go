// Package importers splits an uploaded file into rows, adds the rows to the task of the file, and
// previews imports.
//
// A Splitter reads the files of tasks; Inspect and Look read an upload before there is a task; Options
// are the choices of a person about an upload. The packages below do one thing each:
//
//	tabular      rows, cells, problems and limits, for all formats
//	xlsx         the rows of a workbook
//	textfile     the rows of delimited text, and its character set
//	jsonrows     rows that are JSON objects
//	source       a file: what it holds, its headings, its rows
//	drafts       a row, validated by the columns of a kind
//	resultfile   the columns and texts of a result
//	results      result files, written
//	corrections  result files, read again
//
// The promise: each row of a file becomes one event, in the order of the file, even if a process dies
// during the read. A file that cannot be read to its end becomes the problem of its task.
//
// The package uses no queue and no HTTP: its caller stores uploads and wakes the feeder.
package importers
