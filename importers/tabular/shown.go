package tabular

import (
	"unicode/utf8"
)

// shortText is the maximum number of characters of a cell that a warning shows.
const shortText = 40

// Shorten returns the first 40 characters of a text, and an ellipsis if there are more.
func Shorten(text string) string {
	if utf8.RuneCountInString(text) <= shortText {
		return text
	}
	return string([]rune(text)[:shortText]) + "…"
}

// MaxQuoted is the maximum number of bytes of a text that a message shows.
const MaxQuoted = 200

// CutText is the number of bytes to which each text of a row is cut if the params of the row exceed
// rowschema.MaxParams. A JSON row of more than jsonrows.MaxBytes bytes is cut to CutText as a whole.
const CutText = 500
