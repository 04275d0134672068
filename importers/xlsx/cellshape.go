package xlsx

import (
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// isZero reports whether a number is zero. Spreadsheets store zero for a reference to an empty cell. With a
// date format, they show this zero as a day that does not exist.
func isZero(raw []byte) bool {
	f, ok := parseNumber(raw)
	return ok && f == 0
}

// noDate adds a warning about a zero with a date format. It adds only one such warning per sheet.
func (s *SheetReader) noDate(col int) {
	if !s.zeroDates {
		s.zeroDates = true
		s.warn(fmt.Sprintf("Cell %s%d holds 0 in a date format, which is no date: it was read as empty, "+
			"as are other such cells.", columnName(col), s.row))
	}
}

// shaped returns a number with the leading zeros that its format shows. If the format also shows characters
// that are not digits, it returns the number unchanged, and adds a warning. It adds no warning if the last
// warning about the column names the same format.
func (s *SheetReader) shaped(col int, format cellFormat, number string) string {
	switch {
	case format.shape != "":
		s.warnShape(col, format.shape, number)
	case len(number) < format.zeros && allDigits([]byte(number)):
		return strings.Repeat("0", format.zeros-len(number)) + number
	}
	return number
}

func (s *SheetReader) warnShape(col int, shape, number string) {
	for len(s.shapes) <= col {
		s.shapes = append(s.shapes, "")
	}
	if s.shapes[col] == shape {
		return
	}
	s.shapes[col] = shape
	s.warn(fmt.Sprintf("Column %s shows its numbers in the format %s: they were imported without it, "+
		"such as %s.", columnName(col), tabular.Shorten(shape), number))
}
