package paramlist

import (
	"strings"
)

// JSON returns the names as the JSON array that a task stores; "" if n is empty.
func (n Names) JSON() string {
	if len(n) == 0 {
		return ""
	}
	return "[" + strings.Join(n, ",") + "]"
}

// Parse parses a JSON array that Names.JSON returned. It returns nil for an invalid text.
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
