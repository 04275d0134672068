package importers

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/drafts"
	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// decimalRows is the number of rows that decide about the decimal sign.
const decimalRows = 200

var (
	pointOnly = regexp.MustCompile(`^[^0-9.,]*(\d+\.(\d{1,2}|\d{4,})|0\.\d+|\d{1,3}(,\d{3})+\.\d+)[^0-9.,]*$`)
	// unclear is a number with one point, before three decimals or a group of thousands.
	unclear = regexp.MustCompile(`^[^0-9.,]*\d{1,3}\.\d{3}[^0-9.,]*$`)
)

// decimalSigns holds two sample values of a column: a number with a decimal comma, and a
// number whose sign may separate decimals or thousands.
type decimalSigns struct{ comma, unclear string }

// guessDecimal sets a decimal comma if the first rows of a text have numbers with a decimal comma and
// no numbers with a point. It warns of its guess. It also warns if a column with only unclear numbers
// prevents a guess.
func (in *Inspection) guessDecimal(c *source.File, kind jobs.Kind, opt Options) error {
	places := drafts.NumberColumns(kind, in.Columns)
	if opt.Decimal != "" || in.Delimiter == "" || len(places) == 0 {
		in.Decimal = opt.Decimal
		return nil
	}
	opt.HeaderRow = in.HeaderRow
	src, err := c.Table(opt.Reading())
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
func decimalsOf(src *source.Table, places []int) (map[int]decimalSigns, bool) {
	columns := map[int]decimalSigns{}
	for range decimalRows {
		row, err := src.Next()
		if err != nil {
			break // the reader that adds the rows reports the error
		}
		for _, col := range places {
			if col >= len(row.Cells) {
				continue
			}
			text, signs := strings.TrimSpace(row.Cells[col].Text), columns[col]
			switch {
			case pointOnly.MatchString(text):
				return nil, false
			case drafts.HasDecimalComma(text):
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
			tabular.Shorten(comma), tabular.Shorten(unclear))})
	default:
		in.Decimal = ","
		in.Warnings = joined(in.Warnings, []string{fmt.Sprintf("Numbers were read with a decimal comma, such as %q. "+
			"If the comma means another thing, choose a decimal point.", tabular.Shorten(comma))})
	}
}
