// Package resultfile recognizes result files: it names the columns that a result adds to the columns
// of the upload, and reverses the escapes of texts in a result.
//
// It neither reads nor writes files: packages source, results and corrections do.
package resultfile
