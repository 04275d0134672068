package boot

import "github.com/rollcall-dev/rollcall/internal/version"

// buildOf returns the build that this program records with each row: the given one, else its
// commit, else its version; empty if all are unknown.
func buildOf(given string) string {
	for _, build := range []string{given, version.Commit(), version.Number()} {
		if build != "" && build != version.Unknown {
			return build
		}
	}
	return ""
}
