// Package doctor checks a service for operators: settings, database, Redis, files and workers.
//
// Each check prints its result and, if it found a fault, the next step. The checks change nothing,
// except that they create a file and delete it again.
package doctor
