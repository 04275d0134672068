// Package doctor checks a service for operators: settings, database, Redis, files and workers.
//
// Each check prints what it found, and for a fault the next step. It changes only a file that it
// makes and removes again.
package doctor
