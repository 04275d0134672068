// Package doctor checks a service for operators: settings, database, Redis, files and workers.
//
// Each check prints its result and, if it found a fault, the next step. The checks create files in
// the storage of files and in the folder of temporary files, and delete them again. They change
// nothing else.
package doctor
