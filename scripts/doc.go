// Package scripts holds the tests of the scripts that make runs. The first lines of each script describe
// the script.
package scripts
