// Package jobs holds the kinds of jobs and their runs inside the service, without the types of their
// arguments. Package worker is the typed form for the developers of kinds. It creates the values of
// this package.
//
// Promise: an error of a handler has the same meaning in all packages. The package does no I/O.
package jobs
