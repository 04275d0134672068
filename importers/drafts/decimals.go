package drafts

import (
	"regexp"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
)

// commaNumber is a number with a decimal comma, perhaps with groups of three digits, and with texts
// around it, such as a sign or a unit.
var commaNumber = regexp.MustCompile(`^([^0-9.,]*)([1-9]\d{0,2}(?:[. '\x{00A0}\x{202F}]\d{3})+|\d+)(,\d+)?([^0-9.,]*)$`)

// commaOnly matches numbers that are valid only with a decimal comma, pointOnly those valid only with
// a decimal point.
var commaOnly = regexp.MustCompile(`^[^0-9.,]*(\d+,(\d{1,2}|\d{4,})|\d{1,3}(\.\d{3})+,\d+)[^0-9.,]*$`)

// pointed rewrites a number with a decimal comma to a decimal point. It returns other texts unchanged.
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

// HasDecimalComma reports whether a text is a number that is valid only with a decimal comma.
func HasDecimalComma(text string) bool { return commaOnly.MatchString(text) }

// NumberColumns returns the columns of numbers for which the kind names no country.
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

// DecimalBy sets the decimal sign of numbers in texts. Numbers with a comma are rewritten with a
// point.
func (m *Maker) DecimalBy(sign string) *Maker {
	m.commas = nil
	if sign == "," {
		m.commas = NumberColumns(m.kind, m.Columns)
	}
	return m
}

// point rewrites the numbers of a row with a decimal point.
func (m *Maker) point(r tabular.Row) {
	for _, col := range m.commas {
		if col < len(r.Cells) && !r.Cells[col].Plain && r.Cells[col].Code == "" {
			r.Cells[col].Text = pointed(r.Cells[col].Text)
		}
	}
}
