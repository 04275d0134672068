// Package importers splits an uploaded file into rows, adds the rows to the task of the file, and previews
// imports.
//
// A Splitter reads the files of tasks. Inspect and ReadPreview read an upload before its task exists.
// Options holds the choices of a user about an upload. The subpackages:
//
//	tabular      rows, cells, problems and limits, for all formats
//	xlsx         the rows of a workbook
//	textfile     the rows of delimited text, and its character set
//	jsonrows     rows that are JSON objects
//	source       a file: its format, its headings, its rows
//	drafts       a row, validated by the columns of a kind
//	resultfile   the columns and texts of a result
//	results      the writer of result files
//	corrections  the reader of result files that a user has edited
//
// Each row of a file becomes one event, in the order of the file; blank rows are skipped. This also holds
// if a process dies while it reads the file. If a file is damaged or invalid, its task gets a problem.
//
// The package uses no queue and no HTTP. Its caller stores uploads and notifies the feeder.
package importers
