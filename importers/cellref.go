package importers

// parseRef reads a cell reference such as "AB12": the column from 0, the row
// from 1. Column -1 means that it is none, or lies outside a sheet.
func parseRef(ref []byte) (col, row int) {
	i := 0
	for i < len(ref) && i < 4 && ref[i]|0x20 >= 'a' && ref[i]|0x20 <= 'z' {
		col = col*26 + int(ref[i]|0x20-'a') + 1
		i++
	}
	digits := ref[i:]
	if i == 0 || col > maxCol || len(digits) == 0 || len(digits) > 7 || digits[0] == '0' {
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
