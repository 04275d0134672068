// Package templates makes the files that users fill in and upload.
//
// A template follows the struct of a kind: headings, drop-downs and notes match the rules of the
// importer. A template filled with its own examples is imported without a fault. An empty template
// is rejected as a file without rows.
//
// The package only writes files. The descriptions of rules come from package rowschema.
package templates
