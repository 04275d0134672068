// Package jobs holds the kinds of jobs and their runs as the service sees them: without the types of
// their arguments. Package worker is the same for the developer of a kind, and makes the values of
// this package.
//
// It promises that the error of a handler has one meaning, wherever it is judged. It does no I/O.
package jobs
