// Package tabular defines the common types of the readers of all formats: Row and Cell, the Problem of
// a file, the Limits of a file, and the Upload that is read.
//
// The promise: an unusable cell has a code and makes its row invalid. An unusable file is a Problem,
// with a text for the person who uploaded it. A fault of the storage is neither.
//
// The package is independent of formats and of other packages of Rollcall.
package tabular
