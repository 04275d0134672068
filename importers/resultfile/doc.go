// Package resultfile defines the columns that a result file adds to the columns of the upload, and
// the escapes of its texts.
//
// The package reads and writes no files: packages source, results and corrections do.
package resultfile
