package table

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxCellText is the maximum length of a cell's text in Excel, in UTF-16 units.
const MaxCellText = 32767

// Fitting truncates a text that is longer than MaxCellText, and ends it with an ellipsis. It returns a
// shorter text unchanged.
func Fitting(s string) string {
	if len(s) <= MaxCellText {
		return s
	}
	if cut := FirstUnits(s, MaxCellText); cut != s {
		return FirstUnits(s, MaxCellText-1) + "…"
	}
	return s
}

// FirstUnits truncates a text to at most n UTF-16 units, without splitting a character. Excel counts the
// length of a text in these units.
func FirstUnits(s string, n int) string {
	for i, r := range s {
		if n -= utf16.RuneLen(r); n < 0 {
			return s[:i]
		}
	}
	return s
}

// AppendXML appends a text to the XML of a workbook. U+FFFE, U+FFFF and control characters below U+0020,
// other than tabs and line feeds, get the escapes of workbooks. For example, a carriage return becomes
// _x000D_. A text that looks like such an escape is escaped, too.
func AppendXML(b []byte, s string) []byte {
	if plainXML(s) {
		return append(b, s...)
	}
	for i, r := range s {
		switch {
		case r == '&':
			b = append(b, "&amp;"...)
		case r == '<':
			b = append(b, "&lt;"...)
		case r == '>':
			b = append(b, "&gt;"...)
		case r == '_' && isEscape(s[i:]):
			b = append(b, "_x005F_"...)
		case r < ' ' && r != '\t' && r != '\n', r == 0xFFFE, r == 0xFFFF:
			b = append(b, "_x"...)
			hex := strings.ToUpper(strconv.FormatInt(int64(r), 16))
			b = append(append(b, "0000"[:4-len(hex)]...), hex...)
			b = append(b, '_')
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}

// plainXML reports whether a text has only ASCII characters that AppendXML never changes.
func plainXML(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ', c >= 0x7f, c == '&', c == '<', c == '>', c == '_':
			return false
		}
	}
	return true
}

// isEscape reports whether a text begins with an escape of the workbook format, such as _x000D_.
func isEscape(s string) bool {
	if len(s) < 7 || s[1] != 'x' || s[6] != '_' {
		return false
	}
	_, err := strconv.ParseUint(s[2:6], 16, 16)
	return err == nil
}

// maxSheetName is the maximum length of a sheet name, in UTF-16 units.
const maxSheetName = 31

// SheetName converts a text to a valid sheet name of at most 31 UTF-16 units. It replaces control
// characters and []:*?/\ by underscores, removes apostrophes and blanks at the ends, and truncates the
// rest. If the result is empty, it uses the argument `usual`. If n is 2 or more, it appends n in
// parentheses.
func SheetName(s, usual string, n int) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`[]:*?/\`, r) {
			return '_'
		}
		return r
	}, s)
	s = FirstUnits(strings.Trim(s, "' "), maxSheetName)
	if s = strings.Trim(s, "' "); s == "" {
		s = usual
	}
	if n < 2 {
		return s
	}
	suffix := " (" + strconv.Itoa(n) + ")"
	return FirstUnits(s, maxSheetName-len(suffix)) + suffix
}
