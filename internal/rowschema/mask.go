package rowschema

import (
	"strings"
	"unicode/utf8"
)

// bullets replaces hidden text, whatever the length of this text.
const bullets = "••••"

// Show returns a text of this column for display: for a sensitive column the result of Mask, or "" for an
// empty text; for any other column the text unchanged.
func (f *Field) Show(text string) string {
	if !f.Sensitive || text == "" {
		return text
	}
	return Mask(text)
}

// Mask returns bullets and the last characters of a text. It shows four characters if the text has at
// least eight, two if it has at least five, and none of a shorter text.
func Mask(text string) string {
	r := []rune(strings.TrimSpace(text))
	tail := 0
	switch {
	case len(r) >= 8:
		tail = 4
	case len(r) >= 5:
		tail = 2
	}
	return bullets + string(r[len(r)-tail:])
}

// Masked reports whether a text looks like a result of Mask: bullets, and up to four more characters.
func Masked(text string) bool {
	tail, ok := strings.CutPrefix(strings.TrimSpace(text), bullets)
	return ok && utf8.RuneCountInString(tail) <= 4
}

// Hides reports whether a cell of params must be masked. It returns true for a cell of a sensitive column,
// under any of its headings, and for a cell without a heading.
func (s *Schema) Hides(name string) bool {
	if strings.HasPrefix(name, "column ") {
		return true
	}
	heading, _, _ := strings.Cut(name, " (column ")
	f := s.find(heading)
	return f != nil && f.Sensitive
}

// Secret reports whether the schema has a sensitive column.
func (s *Schema) Secret() bool {
	for i := range s.Fields {
		if s.Fields[i].Sensitive {
			return true
		}
	}
	return false
}
