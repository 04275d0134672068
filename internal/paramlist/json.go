package paramlist

import (
	"strings"
)

// JSON returns the JSON array that a task stores, or "" without names.
func (n Names) JSON() string {
	if len(n) == 0 {
		return ""
	}
	return "[" + strings.Join(n, ",") + "]"
}

// Parse parses a JSON array of names.json.
func Parse(text string) (n Names) {
	for rest := text; len(rest) > 1; {
		end := valueEnd(rest[1:]) + 1
		if end <= 1 {
			return nil
		}
		n, rest = append(n, rest[1:end]), rest[end:]
	}
	return n
}
