// Package doctor checks a service for operators: settings, database, Redis, files and workers.
//
// Each check prints its result and, if it found a fault, the next step. The checks create a file in
// the folder of files, and delete it again. They change nothing else.
package doctor
