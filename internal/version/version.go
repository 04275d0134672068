// Package version returns the version of the program.
//
// In a release, the linker sets the version, as scripts/release.sh does. Otherwise it comes from
// the build information of the go command. The package imports no other package of the project.
package version

import (
	"cmp"
	"runtime"
	"runtime/debug"
)

// Unknown is the value of a missing version or commit.
const Unknown = "unknown"

// commitLength is how many characters of a commit are shown.
const commitLength = 12

// The linker sets `number` and `commit` in a release.
var number, commit string

// Number returns the version of the program, such as v1.4.0, or Unknown.
func Number() string {
	info, _ := debug.ReadBuildInfo()
	if number == "" && info != nil && info.Main.Version != "(devel)" {
		return cmp.Or(info.Main.Version, Unknown)
	}
	return cmp.Or(number, Unknown)
}

// Commit returns the first 12 characters of the program's commit, or Unknown. It appends "+changed"
// if the sources had uncommitted changes.
func Commit() string {
	if commit != "" {
		return commit
	}
	settings := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
	}
	revision := settings["vcs.revision"]
	revision = revision[:min(len(revision), commitLength)]
	if revision != "" && settings["vcs.modified"] == "true" {
		revision += "+changed"
	}
	return cmp.Or(revision, Unknown)
}

// Line describes the program in one line, for its option --version.
func Line() string {
	return Number() + " (commit " + Commit() + ", " + runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH + ")"
}
