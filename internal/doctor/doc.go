// Package doctor checks a service for operators: settings, database, Redis, files and workers.
//
// Each check prints its result and, if it found a fault, the next step. The checks create the
// folder of files if it is missing, and a file that they delete again. They change nothing else.
package doctor
