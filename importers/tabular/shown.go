package tabular

import (
	"unicode/utf8"
)

// shortText is the most characters of a cell that a warning shows.
const shortText = 40

// Shorten returns the first 40 characters of a text, and an ellipsis if there are more.
func Shorten(text string) string {
	if utf8.RuneCountInString(text) <= shortText {
		return text
	}
	return string([]rune(text)[:shortText]) + "…"
}

// MaxQuoted is the most bytes of a text that a message shows.
const MaxQuoted = 200

// CutText is the most bytes of each text that are kept in a row that is too large.
const CutText = 500
