//go:build chaos

package testenv

// Chaos reports that stories run at full length, as in `make chaos`.
const Chaos = true
