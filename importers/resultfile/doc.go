// Package resultfile tells a result file from other files: it names the columns that a result
// adds to those of the upload, and takes back what a result does to texts.
//
// It neither reads nor writes files: packages source, results and corrections do.
package resultfile
