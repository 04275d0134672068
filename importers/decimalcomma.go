package importers

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// decimalRows is how many rows decide about the sign before the decimals.
const decimalRows = 200

var (
	// commaNumber is a number with a decimal comma, perhaps with groups of three digits
	// and what stands around a number, such as a sign or a unit.
	commaNumber = regexp.MustCompile(`^([^0-9.,]*)([1-9]\d{0,2}(?:[. '\x{00A0}\x{202F}]\d{3})+|\d+)(,\d+)?([^0-9.,]*)$`)
	// commaOnly and pointOnly are numbers that can be read with one of the signs alone.
	commaOnly = regexp.MustCompile(`^[^0-9.,]*(\d+,(\d{1,2}|\d{4,})|\d{1,3}(\.\d{3})+,\d+)[^0-9.,]*$`)
	pointOnly = regexp.MustCompile(`^[^0-9.,]*(\d+\.(\d{1,2}|\d{4,})|0\.\d+|\d{1,3}(,\d{3})+\.\d+)[^0-9.,]*$`)
	// unclear is a number with one point, before three decimals or a group of thousands.
	unclear = regexp.MustCompile(`^[^0-9.,]*\d{1,3}\.\d{3}[^0-9.,]*$`)
)

// pointed returns a number with a decimal comma as it is written with a point. Other
// texts stay as they are.
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

// numberPlaces returns the columns of numbers for which the kind names no country.
func numberPlaces(kind worker.Kind, columns []tasks.Column) (places []int) {
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

// decimalBy has numbers in texts read with a sign before their decimals; with a comma
// they become numbers with a point.
func (m *rowMaker) decimalBy(sign string) *rowMaker {
	m.commas = nil
	if sign == "," {
		m.commas = numberPlaces(m.kind, m.columns)
	}
	return m
}

// point writes the numbers of a row with a point.
func (m *rowMaker) point(r Row) {
	for _, col := range m.commas {
		if col < len(r.Cells) && !r.Cells[col].Plain && r.Cells[col].Code == "" {
			r.Cells[col].Text = pointed(r.Cells[col].Text)
		}
	}
}

// decimalSigns holds two sample values of a column: a number with a decimal comma, and a
// number whose sign may separate decimals or thousands.
type decimalSigns struct{ comma, unclear string }

// guessDecimal sets a comma if the first rows of a text have numbers with a decimal
// comma and none with a point, else nothing. It warns of its guess, and where it makes
// none because a column has unclear numbers only.
func (in *Inspection) guessDecimal(c *content, kind worker.Kind, opt Options) error {
	places := numberPlaces(kind, in.Columns)
	if opt.Decimal != "" || in.Delimiter == "" || len(places) == 0 {
		in.Decimal = opt.Decimal
		return nil
	}
	opt.HeaderRow = in.HeaderRow
	src, err := readTable(c, opt.open())
	if err != nil {
		return err
	}
	defer src.Close()
	columns, ok := decimalsOf(src, places)
	if !ok {
		return nil
	}
	comma, unclear := "", ""
	for _, col := range places {
		if signs := columns[col]; signs.comma != "" {
			comma = cmp.Or(comma, signs.comma)
		} else {
			unclear = cmp.Or(unclear, signs.unclear)
		}
	}
	in.decide(comma, unclear)
	return nil
}

// decimalsOf reads the first rows. It reports false for a number with a decimal point.
func decimalsOf(src *Source, places []int) (map[int]decimalSigns, bool) {
	columns := map[int]decimalSigns{}
	for range decimalRows {
		row, err := src.Next()
		if err != nil {
			break // the reader that adds the rows reports what is wrong
		}
		for _, col := range places {
			if col >= len(row.Cells) {
				continue
			}
			text, signs := strings.TrimSpace(row.Cells[col].Text), columns[col]
			switch {
			case pointOnly.MatchString(text):
				return nil, false
			case commaOnly.MatchString(text):
				signs.comma = cmp.Or(signs.comma, text)
			case unclear.MatchString(text):
				signs.unclear = cmp.Or(signs.unclear, text)
			}
			columns[col] = signs
		}
	}
	return columns, true
}

// decide sets the sign by a number with a decimal comma, unless a column has unclear
// numbers only: its 1.250 may be a weight.
func (in *Inspection) decide(comma, unclear string) {
	switch {
	case comma == "":
	case unclear != "":
		in.Warnings = joined(in.Warnings, []string{fmt.Sprintf("Some numbers have a comma, such as %q, others a point, "+
			"such as %q. They were read with a decimal point. If the comma stands before the decimals, choose it.",
			firstLetters(comma), firstLetters(unclear))})
	default:
		in.Decimal = ","
		in.Warnings = joined(in.Warnings, []string{fmt.Sprintf("Numbers were read with a decimal comma, such as %q. "+
			"If the comma means another thing, choose a decimal point.", firstLetters(comma))})
	}
}
