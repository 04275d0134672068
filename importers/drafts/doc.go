// Package drafts validates rows of a file, or JSON objects, by the columns of a kind, and
// makes them drafts of events.
//
// The promise: an invalid row becomes a failed draft with the readable values of the row and the fault
// of each cell. The same row gives the same draft from every format.
//
// The package reads no file and stores nothing.
package drafts
