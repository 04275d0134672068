package jsonrows

import (
	"bytes"
	"strings"
)

// FormatList is the format of a text with one list of JSON objects.
const FormatList = "json"

// Reader is a reader of the rows of a text, as JSON texts.
type Reader interface {
	// Next returns the next row. Its bytes stay unchanged until the next call. It returns io.EOF only if
	// the text is complete. For a row of more than MaxBytes bytes it returns ErrTooLong and the
	// beginning of the row.
	Next() ([]byte, error)
	// At returns the number of the last row: its line, or its index in the list, from 1.
	At() int
}

// Detect returns the format of a text if the text begins like rows in JSON. It returns false for
// any other text.
func Detect(text []byte) (format string, ok bool) {
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")), " \t\r\n")
	if len(text) == 0 {
		return "", false
	}
	inner := bytes.TrimLeft(text[1:], " \t\r\n")
	switch {
	case len(inner) == 0:
		return "", false
	case text[0] == '{':
		if inner[0] == '"' || inner[0] == '}' {
			return FormatLines, true
		}
	case text[0] == '[' && strings.IndexByte("{[]", inner[0]) >= 0:
		return FormatList, true
	}
	return "", false
}
