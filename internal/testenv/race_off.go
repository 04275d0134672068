//go:build !race

package testenv

// Race reports whether this program has the race detector.
const Race = false
