package jsonrows

import (
	"bytes"
	"strings"
)

// FormatList is the format of a text with one list of JSON objects.
const FormatList = "json"

// Reader reads rows as JSON texts.
type Reader interface {
	// Next returns a row, good until the next call; io.EOF only at the proved end. With ErrTooLong,
	// the text is the beginning of a too large row.
	Next() ([]byte, error)
	// At returns the number of that row: its line, or its index in the list from 1.
	At() int
}

// Detect returns the format of a text that begins like rows in JSON, and false for any other text.
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
