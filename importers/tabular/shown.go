package tabular

import (
	"unicode/utf8"
)

// shortText is how many characters of a cell a warning shows.
const shortText = 40

// Shorten returns the first 40 characters of a text.
func Shorten(text string) string {
	if utf8.RuneCountInString(text) <= shortText {
		return text
	}
	return string([]rune(text)[:shortText]) + "…"
}

// MaxQuoted is how many bytes of a text a message shows.
const MaxQuoted = 200

// CutText is how many bytes of a text are kept in a row that is too large.
const CutText = 500
