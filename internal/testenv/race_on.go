//go:build race

package testenv

// Race tells that this program has the race detector.
const Race = true
