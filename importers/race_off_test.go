//go:build !race

package importers

const raceEnabled = false
