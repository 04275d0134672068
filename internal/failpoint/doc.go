// Package failpoint ends the process at a moment that has a name, so that a test
// can show what a crash there leaves behind.
//
// The promise: in a program built without the tag failpoints it does nothing,
// and costs nothing.
//
// It is for real processes in tests, which say what they want in the
// environment:
//
//	FAILPOINT=committed     kill -9 of itself at the first "committed"
//	FAILPOINT=committed:3   at the third
//	CLOCK_SKEW=1h           the wall clock of this process is wrong by so much
package failpoint

// Tag is the build tag of a program that heeds it.
const Tag = "failpoints"
