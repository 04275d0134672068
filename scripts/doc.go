// Package scripts holds the tests of what make runs beside the go command. The scripts
// themselves say what they promise in their first lines.
package scripts
