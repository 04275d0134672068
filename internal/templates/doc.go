// Package templates makes the files that people fill in and upload.
//
// A template is read from the struct of a kind: what stands in a heading, a
// drop-down or a note is what the importer will hold the rows to. A file that
// was filled in with the examples it shows is imported without a fault; one that
// nobody has filled in is refused as one without rows.
//
// It writes files and reads none. What a rule says comes from package worker.
package templates
