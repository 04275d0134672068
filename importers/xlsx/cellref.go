package xlsx

import (
	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// parseRef parses a cell reference such as "AB12" into the column, from 0, and the row, from 1. The
// column is -1 if the reference is invalid, or if the column is outside of a sheet.
func parseRef(ref []byte) (col, row int) {
	i := 0
	for i < len(ref) && i < 4 && ref[i]|0x20 >= 'a' && ref[i]|0x20 <= 'z' {
		col = col*26 + int(ref[i]|0x20-'a') + 1
		i++
	}
	digits := ref[i:]
	if i == 0 || col > tabular.MaxColumn || len(digits) == 0 || len(digits) > 7 || digits[0] == '0' {
		return -1, 0
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return -1, 0
		}
		row = row*10 + int(c-'0')
	}
	return col - 1, row
}

// columnName returns the letters of a column, counted from 0.
func columnName(column int) (name string) {
	for n := column + 1; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}
