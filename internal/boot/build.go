package boot

import (
	"cmp"
	"runtime/debug"
)

// revisionLength is how many characters of a revision name a build.
const revisionLength = 12

// buildOf returns the version of this program: the given one, else the revision that it was
// built from, else the version of its module; empty if all are unknown.
func buildOf(given string) string {
	info, ok := debug.ReadBuildInfo()
	if given != "" || !ok {
		return given
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	revision := settings["vcs.revision"]
	revision = revision[:min(len(revision), revisionLength)]
	if revision != "" && settings["vcs.modified"] == "true" {
		revision += "+changed"
	}
	return cmp.Or(revision, info.Main.Version)
}
