// Package scripts holds the tests of the scripts that the Makefile uses. The first lines of each
// script describe the script.
package scripts
