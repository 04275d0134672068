// Package corrections compares a result file that a person has edited with the rows of its task, and
// passes on the changed rows.
//
// The promise: the whole file is read and checked before the first row changes. Rows are found by
// their id and columns by their heading, so both may be in any order. A change that a spreadsheet
// makes by itself does not count.
//
// The package changes nothing itself: its caller validates the rows and stores them.
package corrections
