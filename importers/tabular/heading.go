package tabular

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// invisible reports whether a character is invisible: a blank of any kind, a zero-width character
// or the byte order mark.
func invisible(r rune) bool {
	return unicode.IsSpace(r) || r >= 0x200B && r <= 0x200F || r == 0x2060 || r == 0xFEFF
}

// TrimHeading returns a text without the invisible characters around it.
func TrimHeading(s string) string { return strings.TrimFunc(s, invisible) }

// HeadKey returns the form in which headings are compared. It ignores case, invisible characters and the
// composition of accents.
func HeadKey(s string) string {
	s = strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFC.String(s))
	return s
}
