// Package results writes the rows of a task as a file for the person who uploaded them: the
// columns of the upload and, behind them, what became of each row.
//
// The promise: every cell of the upload comes back to the letter, nothing in the file runs as
// a formula, and memory does not grow with the rows.
//
// Package corrections reads the file again. This package reads no file and no store: its
// caller hands it the events.
package results
