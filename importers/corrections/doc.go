// Package corrections compares a result file that a user has edited with the rows of its task. It passes
// the changed rows to a function of its caller.
//
// The package reads and checks the whole file before the first row changes. It finds rows by their id and
// columns by their heading, so both may be in any order. A change that a spreadsheet makes by itself does
// not count.
//
// The package stores nothing: its caller validates and stores the rows.
package corrections
