// Package drafts validates rows of a file, or JSON objects, by the columns of a kind, and
// makes them drafts of events.
//
// The promise: a row at fault becomes a failed draft that keeps what it could of the row,
// with the fault of each cell. The same row gives the same draft from every format.
//
// The package reads no file and stores nothing.
package drafts
