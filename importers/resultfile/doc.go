// Package resultfile defines the columns that a result file has after the columns of the upload. It also
// undoes the escapes in the texts of a result file. The package reads and writes no files: packages
// source, results and corrections do.
package resultfile
