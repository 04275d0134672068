// Package jobs holds the kinds of jobs and their runs inside the service, without the types of their
// arguments. Package worker is the typed form for the developer of a kind, and makes the values of
// this package.
//
// It promises that the error of a handler has the same meaning in all packages. It does no I/O.
package jobs
