// Package tabular defines the common types of the readers of all formats. These are Row and Cell,
// the Problem and the Limits of a file, and the Upload with its bytes.
//
// An unusable cell has a code and makes its row invalid. An unusable file has a Problem, with a
// text for users. A fault of the storage is an ordinary error.
//
// The package does not depend on formats, nor on other packages of Rollcall.
package tabular
