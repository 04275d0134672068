package xlsx

import "strings"

// unsafeName reports whether an entry name leads out of the container, or has different meanings on
// different systems.
func unsafeName(name string) bool {
	if name == "" || name[0] == '/' || strings.Contains(name, "\x00") {
		return true
	}
	if len(name) > 1 && name[1] == ':' {
		return true
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." || part == "." {
			return true
		}
	}
	return false
}
