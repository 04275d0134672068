package table

import (
	"strconv"
	"strings"
)

// Guard escapes a text that a spreadsheet would evaluate as a formula, as OWASP ASVS 1.2.10
// requires. It returns a plain negative number unchanged.
func Guard(s string) string {
	t := strings.TrimLeft(s, " \"'\u00a0")
	if t == "" || !strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(t[:min(len(t), 4)])[0]) {
		return s
	}
	if Number(s) {
		return s
	}
	return "'" + s
}

// Unguard reverses Guard.
func Unguard(s string) string {
	if inner, ok := strings.CutPrefix(s, "'"); ok && Guard(inner) == s {
		return inner
	}
	return s
}

// MaxDecimals is the maximum number of decimals of the number formats in a written workbook.
const MaxDecimals = 10

// Number reports whether s is a plain number that a spreadsheet keeps exactly.
func Number(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || len(digits) > 15 || strings.Trim(digits, "0123456789.") != "" {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// Decimals returns the number of digits after the point of s. A spreadsheet that shows this many
// digits shows s unchanged. Decimals returns -1 if no such number exists.
func Decimals(s string) int {
	whole, rest, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	switch {
	case !Number(s), whole == "", point && rest == "":
		return -1
	case len(whole) > 1 && whole[0] == '0', len(rest) > MaxDecimals:
		return -1
	case s[0] == '-' && strings.Trim(s, "-0.") == "":
		return -1
	}
	return len(rest)
}
