// Package results writes the rows of a task as a result file for users. The file has the columns of the
// upload and, after them, the outcome of each row.
//
// The file contains the exact texts of the upload; the comment of Result lists the exceptions. No
// spreadsheet evaluates a cell as a formula, unless Result.Raw is true. Memory does not grow with the
// number of rows.
//
// Package corrections reads the file after a user has edited it. This package reads no files and no
// database: its caller passes the events.
package results
