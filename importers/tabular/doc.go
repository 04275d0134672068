// Package tabular defines what the readers of all formats have in common: Row and Cell,
// the Problem of a file, the Limits of what a file may hold, and the Upload that is read.
//
// The promise: a cell that cannot be used carries a code and costs its row; a file that
// cannot be used is a Problem in words for the person who uploaded it; a fault of the
// storage is neither.
//
// The package is independent of formats and of other packages of Rollcall.
package tabular
