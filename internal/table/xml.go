package table

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxCellText is the most UTF-16 units of a cell in Excel.
const MaxCellText = 32767

// Fitting truncates a text to the limit of a cell.
func Fitting(s string) string {
	if len(s) <= MaxCellText {
		return s
	}
	if cut := FirstUnits(s, MaxCellText); cut != s {
		return FirstUnits(s, MaxCellText-1) + "…"
	}
	return s
}

// FirstUnits returns the first n UTF-16 units of a text, which Excel counts.
func FirstUnits(s string, n int) string {
	for i, r := range s {
		if n -= utf16.RuneLen(r); n < 0 {
			return s[:i]
		}
	}
	return s
}

// AppendXML appends a text to XML. Characters that XML lacks, and texts that look like an escape of
// the workbook, are written as such an escape.
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

// plainXML reports whether a text is unchanged in XML.
func plainXML(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ', c >= 0x7f, c == '&', c == '<', c == '>', c == '_':
			return false
		}
	}
	return true
}

// isEscape reports whether a text begins with the escape of a workbook for a character that XML
// lacks: _x000D_.
func isEscape(s string) bool {
	if len(s) < 7 || s[1] != 'x' || s[6] != '_' {
		return false
	}
	_, err := strconv.ParseUint(s[2:6], 16, 16)
	return err == nil
}

// maxSheetName is the most UTF-16 units of a sheet's name.
const maxSheetName = 31

// SheetName returns a text as a valid sheet name: no []:*?/\, no quote at an end, not too long;
// usual if nothing is left. From n 2 on the number is appended.
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
