// Package results writes the rows of a task as a result file for users: the columns of the upload
// and, after them, the outcome of each row.
//
// Every cell of the upload is returned exactly, no cell runs as a formula, and memory does not grow
// with the number of rows.
//
// Package corrections reads the file after the person has edited it. This package reads no files
// and no database: its caller passes the events.
package results
