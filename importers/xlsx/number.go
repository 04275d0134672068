package xlsx

import (
	"bytes"
	"math"
	"strconv"
)

// exactDigits is the number of decimal digits that Excel stores without loss.
const exactDigits = 15

// plainNumber reports whether raw is -?digits(.digits)? with at most exactDigits digits, or a whole
// number of any length. Such a text needs no conversion.
func plainNumber(raw []byte) bool {
	if len(raw) > 0 && raw[0] == '-' {
		raw = raw[1:]
	}
	dot := bytes.IndexByte(raw, '.')
	if dot < 0 {
		return allDigits(raw)
	}
	return len(raw)-1 <= exactDigits && allDigits(raw[:dot]) && allDigits(raw[dot+1:])
}

func allDigits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

// decimalText converts a stored number to a plain decimal, with the 15 digits that Excel shows:
// 0.30000000000000004 becomes 0.3, and 1.5E+3 becomes 1500. A whole number without an exponent stays
// unchanged. A number of 1e15 or more may have lost digits in Excel. It therefore stays unchanged if it
// has exactly 15 significant digits, or if its text and its float both have more. decimalText returns
// false if `raw` is not a number.
func decimalText(raw []byte) (string, bool) {
	if plainNumber(raw) {
		return string(raw), true
	}
	f, ok := parseNumber(raw)
	if !ok {
		return "", false
	}
	if math.Abs(f) < 1e15 {
		return shownDigits(f), true
	}
	digits := significant(raw)
	if digits > exactDigits && significant(strconv.AppendFloat(nil, f, 'e', -1, 64)) > exactDigits ||
		digits == exactDigits {
		return string(raw), true
	}
	return strconv.FormatFloat(f, 'f', -1, 64), true
}

// shownDigits returns a number rounded to the digits that Excel shows.
func shownDigits(f float64) string {
	short := strconv.FormatFloat(f, 'e', exactDigits-1, 64)
	if rounded, err := strconv.ParseFloat(short, 64); err == nil {
		f = rounded
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// parseNumber parses a decimal number. It rejects words such as Inf, and hexadecimal numbers.
func parseNumber(raw []byte) (float64, bool) {
	for _, c := range raw {
		if (c < '0' || c > '9') && bytes.IndexByte([]byte("+-.eE"), c) < 0 {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	return f, err == nil && !math.IsInf(f, 0)
}

// significant returns the number of digits from the first nonzero digit to the last nonzero digit.
func significant(raw []byte) int {
	n, zeros := 0, 0
	for _, c := range raw {
		switch {
		case c == 'e' || c == 'E':
			return n
		case c == '0' && n > 0:
			zeros++
		case c >= '1' && c <= '9':
			n += zeros + 1
			zeros = 0
		}
	}
	return n
}
