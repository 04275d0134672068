// Package drafts validates rows of a file, or JSON objects, by the columns of a kind. It converts them to
// drafts of events.
//
// An invalid row becomes a failed draft with the readable values of the row and the fault of each cell. A
// row results in the same draft in every format.
//
// The package reads no files and stores nothing.
package drafts
