package corrections

import (
	"strings"

	"github.com/rollcall-dev/rollcall/internal/table"

	"github.com/shopspring/decimal"
	"golang.org/x/text/unicode/norm"

	"github.com/rollcall-dev/rollcall/importers/jsonrows"
)

// sameText reports whether a text in a corrected file equals the text of the task, or the form of that text
// in a result file. It ignores surrounding blanks, CR LF in place of LF, and the composition of accents.
func sameText(before, after string) bool {
	if before == after || table.Guard(before) == after || table.Fitting(before) == after {
		return true
	}
	before, after = normalize(before), normalize(after)
	return before == after || normalize(table.Guard(before)) == after || normalize(table.Fitting(before)) == after
}

func normalize(s string) string {
	return norm.NFC.String(strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")))
}

// precise is the maximum number of digits of a number that a spreadsheet stores.
const precise = 15

// spreadsheetRewrote reports whether a spreadsheet by itself replaces the text `before` by the text
// `after`. Examples are 007 by 7, 123456 by 1.23E+05, and true by TRUE. It returns false for the reverse
// changes, which only a user makes.
func spreadsheetRewrote(before, after string) bool {
	before, after = strings.TrimSpace(before), strings.TrimSpace(after)
	if strings.EqualFold(before, after) {
		return after == "TRUE" || after == "FALSE"
	}
	a, okA := sheetNumber(before)
	b, okB := sheetNumber(after)
	if !okA || !okB || padded(after) {
		return false
	}
	if a.Equal(b) {
		return true
	}
	keep := precise
	if strings.ContainsAny(after, "eE") {
		keep = b.NumDigits()
	}
	places := int32(keep - a.NumDigits() - int(a.Exponent()))
	return a.NumDigits() > keep && (a.Round(places).Equal(b) || cutDigits(a, places).Equal(b))
}

// cutDigits returns a number without its digits after the given decimal place. A negative place is left
// of the point: with -2, 1234 becomes 1200.
func cutDigits(d decimal.Decimal, places int32) decimal.Decimal {
	return d.Shift(places).Truncate(0).Shift(-places)
}

// padded reports whether a number is written in a form that a spreadsheet does not write by itself,
// such as 007.
func padded(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return strings.HasPrefix(s, "+") || len(s) > 1 && s[0] == '0' && s[1] != '.'
}

// sheetNumber parses a decimal number: digits with an optional sign, decimal point and exponent. It returns
// false for a text that is not such a number. To bound the cost, it also returns false for more than
// jsonrows.MaxDigits bytes, and for an exponent of the last digit outside of -399 to 399.
func sheetNumber(s string) (decimal.Decimal, bool) {
	if len(s) > jsonrows.MaxDigits || s == "" || strings.Trim(s, "0123456789+-.eE") != "" {
		return decimal.Decimal{}, false
	}
	d, err := decimal.NewFromString(s)
	return d, err == nil && d.Exponent() < 400 && d.Exponent() > -400
}
