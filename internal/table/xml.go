package table

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxCellText is how many UTF-16 units Excel takes in a cell.
const MaxCellText = 32767

// Fitting is a text cut to what a cell takes.
func Fitting(s string) string {
	if len(s) <= MaxCellText {
		return s
	}
	if cut := FirstUnits(s, MaxCellText); cut != s {
		return FirstUnits(s, MaxCellText-1) + "…"
	}
	return s
}

// FirstUnits is as much of a text as has n UTF-16 units, by which Excel counts.
func FirstUnits(s string, n int) string {
	for i, r := range s {
		if n -= utf16.RuneLen(r); n < 0 {
			return s[:i]
		}
	}
	return s
}

// AppendXML adds a text to XML. What XML cannot hold, and what looks like an
// escape of the workbook, is written as such an escape.
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

// plainXML tells whether a text stands in XML as it is.
func plainXML(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ', c >= 0x7f, c == '&', c == '<', c == '>', c == '_':
			return false
		}
	}
	return true
}

// isEscape tells whether a text begins as workbooks write a character that XML
// cannot hold: _x000D_.
func isEscape(s string) bool {
	if len(s) < 7 || s[1] != 'x' || s[6] != '_' {
		return false
	}
	_, err := strconv.ParseUint(s[2:6], 16, 16)
	return err == nil
}

// maxSheetName is how many UTF-16 units the name of a sheet has at most.
const maxSheetName = 31

// SheetName is a text as a name that Excel takes: no []:*?/\, no quote at an end,
// not too long; usual if nothing is left. From n 2 on the number stands behind it.
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
