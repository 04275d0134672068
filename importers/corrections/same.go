package corrections

import (
	"strings"

	"github.com/rollcall-dev/rollcall/internal/table"

	"github.com/shopspring/decimal"
	"golang.org/x/text/unicode/norm"

	"github.com/rollcall-dev/rollcall/importers/jsonrows"
)

// sameText reports whether a cell of a file holds a text in one of the forms in which a result writes
// it. Surrounding blanks, kinds of line ends and the composition of accents do not count.
func sameText(was, is string) bool {
	if was == is || table.Guard(was) == is || table.Fitting(was) == is {
		return true
	}
	was, is = normalize(was), normalize(is)
	return was == is || normalize(table.Guard(was)) == is || normalize(table.Fitting(was)) == is
}

func normalize(s string) string {
	return norm.NFC.String(strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")))
}

// precise is the number of digits that a spreadsheet keeps of a number.
const precise = 15

// spreadsheetRewrote reports whether a spreadsheet has rewritten the text was, as a number or a truth
// value, to the text is: 007 to 7, 123456 to 1.23E+05, true to TRUE. The reverse change is a
// correction by a person.
func spreadsheetRewrote(was, is string) bool {
	was, is = strings.TrimSpace(was), strings.TrimSpace(is)
	if strings.EqualFold(was, is) {
		return is == "TRUE" || is == "FALSE"
	}
	a, okA := sheetNumber(was)
	b, okB := sheetNumber(is)
	if !okA || !okB || padded(is) {
		return false
	}
	if a.Equal(b) {
		return true
	}
	keep := precise
	if strings.ContainsAny(is, "eE") {
		keep = b.NumDigits()
	}
	places := int32(keep - a.NumDigits() - int(a.Exponent()))
	return a.NumDigits() > keep && (a.Round(places).Equal(b) || cutDigits(a, places).Equal(b))
}

// cutDigits returns a number with its digits beyond a number of places set to 0.
func cutDigits(d decimal.Decimal, places int32) decimal.Decimal {
	return d.Shift(places).Truncate(0).Shift(-places)
}

// padded reports whether a number is written in a form that no spreadsheet writes by itself.
func padded(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return strings.HasPrefix(s, "+") || len(s) > 1 && s[0] == '0' && s[1] != '.'
}

// sheetNumber reads a text that a spreadsheet interprets as a number.
func sheetNumber(s string) (decimal.Decimal, bool) {
	if len(s) > jsonrows.MaxDigits || s == "" || strings.Trim(s, "0123456789+-.eE") != "" {
		return decimal.Decimal{}, false
	}
	d, err := decimal.NewFromString(strings.TrimPrefix(s, "+"))
	return d, err == nil && d.Exponent() < 400 && d.Exponent() > -400
}
