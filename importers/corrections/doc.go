// Package corrections compares a result file that a person has worked on with the rows of its
// task, and hands over the rows that changed.
//
// The promise: the whole file is read and checked before the first row changes. Rows are found
// by their id and columns by their heading, so both may be in any order. What only a
// spreadsheet made of a cell is no change.
//
// The package changes nothing itself: its caller judges the rows and stores them.
package corrections
