package rowschema

import (
	"regexp"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
)

// commaNumber matches a number in the notation with a decimal comma. The number may have groups of
// three digits, and a sign or unit around it.
var commaNumber = regexp.MustCompile(`^([^0-9.,]*)([1-9]\d{0,2}(?:[. '\x{00A0}\x{202F}]\d{3})+|\d+)(,\d+)?([^0-9.,]*)$`)

// commaOnly matches numbers that are valid only if the comma is the decimal sign.
var commaOnly = regexp.MustCompile(`^[^0-9.,]*(\d+,(\d{1,2}|\d{4,})|0,\d+|[1-9]\d{0,2}([. '\x{00A0}\x{202F}]\d{3})+,\d+)[^0-9.,]*$`)

// unclear matches a number whose point may be a decimal point or a separator of thousands.
var unclear = regexp.MustCompile(`^[^0-9.,]*([1-9]\d{0,2})\.(\d{3})[^0-9.,]*$`)

// Unclear returns the fault of a number such as 1.234 in a task with a decimal comma. It returns nil if the
// text has another form, or if TakesDecimal returns false. Users may mean thousands, as in the file, or
// decimals, as on the pages, which show decimal points.
func (f *Field) Unclear(text string) *events.Field {
	m := unclear.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil || !f.TakesDecimal() {
		return nil
	}
	fault := f.fault(text, CodeUnclearNumber, "number.unclear",
		"thousands", f.Show(m[1]+m[2]), "decimals", f.Show(m[1]+","+m[2]))
	return &fault
}

// Pointed replaces the decimal comma of a number by a decimal point, and removes the separators
// between groups of digits. It returns other texts unchanged.
func Pointed(text string) string {
	m := commaNumber.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return text
	}
	digits := func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}
	return m[1] + strings.Map(digits, m[2]) + strings.Replace(m[3], ",", ".", 1) + m[4]
}

// HasDecimalComma reports whether a text is certainly a number with a decimal comma, such as 12,5 or
// 1.234,5. It returns false for 1,250, in which the comma may separate thousands.
func HasDecimalComma(text string) bool { return commaOnly.MatchString(text) }

// WithComma reports whether a text is a number in which the comma can be the decimal comma.
func WithComma(text string) bool {
	m := commaNumber.FindStringSubmatch(strings.TrimSpace(text))
	return m != nil && m[3] != ""
}

// TakesDecimal reports whether the decimal sign of a task applies to the column: it has numbers, and no locale.
func (f *Field) TakesDecimal() bool {
	return (f.Type == "number" || f.Type == "integer") && f.Locale == ""
}
