// Package results writes the rows of a task as a file for the person who uploaded them: the columns of
// the upload and, after them, the outcome of each row.
//
// The promise: every cell of the upload is returned exactly, no cell runs as a formula, and memory
// does not grow with the rows.
//
// Package corrections reads the file again. This package reads no file and no store: its caller passes
// the events.
package results
