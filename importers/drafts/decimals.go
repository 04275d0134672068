package drafts

import (
	"regexp"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
)

// commaNumber matches a number in the notation with a decimal comma. The number may have groups of
// three digits, and a sign or unit around it.
var commaNumber = regexp.MustCompile(`^([^0-9.,]*)([1-9]\d{0,2}(?:[. '\x{00A0}\x{202F}]\d{3})+|\d+)(,\d+)?([^0-9.,]*)$`)

// commaOnly matches numbers that are valid only if the comma is the decimal sign.
var commaOnly = regexp.MustCompile(`^[^0-9.,]*(\d+,(\d{1,2}|\d{4,})|\d{1,3}(\.\d{3})+,\d+)[^0-9.,]*$`)

// pointed replaces the decimal comma of a number by a decimal point, and removes the separators
// between groups of digits. It returns other texts unchanged.
func pointed(text string) string {
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

// HasDecimalComma reports whether a text is a number that is valid only if the comma is the decimal
// sign.
func HasDecimalComma(text string) bool { return commaOnly.MatchString(text) }

// NumberColumns returns the indexes of the columns of numbers for which the kind sets no locale.
func NumberColumns(kind jobs.Kind, columns []tasks.Column) (places []int) {
	for i, c := range columns {
		for _, f := range kind.Schema.Fields {
			number := f.Type == "number" || f.Type == "integer"
			if c.Field != "" && f.Name == c.Field && number && f.Locale == "" {
				places = append(places, i)
			}
		}
	}
	return places
}

// DecimalBy sets the decimal sign of numbers in texts. With ",", the maker replaces the decimal
// comma of these numbers by a decimal point.
func (m *Maker) DecimalBy(sign string) *Maker {
	m.commas = nil
	if sign == "," {
		m.commas = NumberColumns(m.kind, m.Columns)
	}
	return m
}

// point replaces the decimal commas in the numbers of a row by decimal points.
func (m *Maker) point(r tabular.Row) {
	for _, col := range m.commas {
		if col < len(r.Cells) && !r.Cells[col].Plain && r.Cells[col].Code == "" {
			r.Cells[col].Text = pointed(r.Cells[col].Text)
		}
	}
}
