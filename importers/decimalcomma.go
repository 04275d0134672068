package importers

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/drafts"
	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// decimalRows is the number of rows from which the decimal sign is guessed.
const decimalRows = 200

var (
	pointOnly = regexp.MustCompile(`^[^0-9.,]*(\d+\.(\d{1,2}|\d{4,})|(0|\d{4,})\.\d+|\d{1,3}(,\d{3})+\.\d+)[^0-9.,]*$`)
	// unclear matches a number whose point may be a decimal point or a separator of thousands, such
	// as 1.250.
	unclear = regexp.MustCompile(`^[^0-9.,]*\d{1,3}\.\d{3}[^0-9.,]*$`)
)

// decimalSigns holds two sample numbers of a column, or "" for each that is missing. The number `comma`
// has a decimal comma. In `unclear`, the point may also separate thousands, as in 1.250.
type decimalSigns struct{ comma, unclear string }

// guessDecimal sets the decimal sign from the options, or guesses it from the first rows of a CSV or TSV
// file. It guesses a comma if a number has a decimal comma, and no number certainly has a decimal point.
// A column with numbers such as 1.250, and without a decimal comma, prevents this guess. guessDecimal
// adds a warning with sample numbers if it guesses a comma, or if such a column prevents the guess.
func (in *Inspection) guessDecimal(c *source.File, kind jobs.Kind, opt Options) error {
	indexes := drafts.NumberColumns(kind, in.Columns)
	if opt.Decimal != "" || in.Delimiter == "" || len(indexes) == 0 {
		in.Decimal = opt.Decimal
		return nil
	}
	opt.HeaderRow = in.HeaderRow
	src, err := c.Table(opt.Reading())
	if err != nil {
		return err
	}
	defer src.Close()
	columns, ok := decimalsOf(src, indexes)
	if !ok {
		return nil
	}
	comma, unclear := "", ""
	for _, col := range indexes {
		if signs := columns[col]; signs.comma != "" {
			comma = cmp.Or(comma, signs.comma)
		} else {
			unclear = cmp.Or(unclear, signs.unclear)
		}
	}
	in.decide(comma, unclear)
	return nil
}

// decimalsOf returns sample numbers from the first rows, by the index of the column. It reads only the
// columns in `indexes`. It returns false if the point of a number can only be a decimal point.
func decimalsOf(src *source.Table, indexes []int) (map[int]decimalSigns, bool) {
	columns := map[int]decimalSigns{}
	for range decimalRows {
		row, err := src.Next()
		if err != nil {
			break // the reader that adds the rows reports the error
		}
		for _, col := range indexes {
			if col >= len(row.Cells) {
				continue
			}
			text, signs := strings.TrimSpace(row.Cells[col].Text), columns[col]
			switch {
			case pointOnly.MatchString(text):
				return nil, false
			case rowschema.HasDecimalComma(text):
				signs.comma = cmp.Or(signs.comma, text)
			case unclear.MatchString(text):
				signs.unclear = cmp.Or(signs.unclear, text)
			}
			columns[col] = signs
		}
	}
	return columns, true
}

// decide sets the decimal sign to a comma if `comma` is not empty and `unclear` is empty. If `comma` is
// not empty, decide adds a warning with the sample numbers.
func (in *Inspection) decide(comma, unclear string) {
	switch {
	case comma == "":
	case unclear != "":
		in.Warnings = joined(in.Warnings, []string{words.English("warning.comma.unclear", map[string]string{"comma": tabular.Shorten(comma), "point": tabular.Shorten(unclear)})})
	default:
		in.Decimal = ","
		in.Warnings = joined(in.Warnings, []string{words.English("warning.comma", map[string]string{"text": tabular.Shorten(comma)})})
	}
}
