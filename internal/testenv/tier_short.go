//go:build !chaos

package testenv

// Chaos reports whether scenario tests run at full length, as in `make chaos`.
const Chaos = false
