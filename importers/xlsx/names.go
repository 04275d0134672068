package xlsx

import "strings"

// unsafeName reports whether the name of an entry leads out of the zip archive, or has different meanings
// on different systems.
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
