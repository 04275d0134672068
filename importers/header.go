package importers

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/rollcall-dev/rollcall/internal/table"
)

// headerRows is how many rows that are not blank are searched for headings.
const headerRows = 20

// invisible reports whether a character is not seen around a heading: blanks of
// all kinds, zero-width characters and the byte order mark.
func invisible(r rune) bool {
	return unicode.IsSpace(r) || r >= 0x200B && r <= 0x200F || r == 0x2060 || r == 0xFEFF
}

func trimHeading(s string) string { return strings.TrimFunc(s, invisible) }

// headKey returns what two headings must not share: case, blanks and the way that
// accents are composed do not count.
func headKey(s string) string {
	s = strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFC.String(s))
	return s
}

// headerAt reads up to the row that the caller names.
func (s *Source) headerAt(want int) error {
	for n := 0; ; n++ {
		row, err := s.read()
		switch {
		case err == io.EOF && n == 0:
			return problemf(CodeEmptyFile, "The file holds no data.")
		case err != nil && err != io.EOF:
			return err
		case err == io.EOF, row.Number > want:
			return &Problem{
				Code: CodeHeaderNotFound, Row: want,
				Detail: fmt.Sprintf("Row %d is empty or does not exist: it cannot be the header.", want),
			}
		case row.Number == want:
			return s.setHeader(row)
		}
		s.above.add(row)
	}
}

// setHeader takes the headings from a row, and warns of each row and column that
// they leave out.
func (s *Source) setHeader(row Row) error {
	if row.Beyond > 0 {
		return s.tooWide(row)
	}
	cells := slices.Clone(row.Cells)
	for i := range cells {
		cells[i].Text = trimHeading(cells[i].Text)
	}
	for len(cells) > 0 && cells[len(cells)-1] == (Cell{}) {
		cells = cells[:len(cells)-1]
	}
	s.HeaderRow = row.Number
	s.takeHeadings(cells)
	if len(s.Header) == 0 {
		return &Problem{
			Code: CodeHeaderNotFound, Sheet: s.Sheet, Row: row.Number,
			Detail: fmt.Sprintf("Row %d holds no headings.", row.Number),
		}
	}
	s.above.warn(s.HeaderRow, s.warn)
	return nil
}

// takeHeadings keeps the columns that have a heading of their own.
func (s *Source) takeHeadings(cells []Cell) {
	seen := map[string]int{} // key: place in s.Header
	var blank, twice, faulty []string
	drop := make([]bool, len(cells))
	places := []int{}
	for col, c := range cells {
		name, key := table.ColumnName(col), headKey(c.Text)
		first, again := seen[key]
		switch {
		case c.Code != "":
			faulty = append(faulty, fmt.Sprintf("%s (%s)", name, strings.TrimSuffix(c.Detail, ".")))
		case c.Text == "":
			blank = append(blank, name)
		case again:
			s.doubled = append(s.doubled, doubled{c.Text, first, places[first], col})
			twice = append(twice, fmt.Sprintf("%s (%q)", name, c.Text))
		default:
			seen[key] = len(s.Header)
			s.Header, places = append(s.Header, c.Text), append(places, col)
			continue
		}
		drop[col] = true
	}
	if len(places) < len(cells) {
		s.drop = drop
	}
	s.leftOut("they have no heading", blank)
	s.leftOut("another column has the same heading", twice)
	s.leftOut("their headings cannot be read", faulty)
}

// leftOut warns of columns that are left out, and names them.
func (s *Source) leftOut(why string, columns []string) {
	if len(columns) > 0 {
		s.warn(fmt.Sprintf("These columns were left out, because %s: %s.", why, strings.Join(columns, ", ")))
	}
}

// tooWide returns the problem of a row with more columns than a file may have.
func (s *Source) tooWide(row Row) error {
	detail := fmt.Sprintf("There is a value in cell %s%d, but a file may have %d columns at most. "+
		"Delete the columns that are not needed", table.ColumnName(row.Beyond-1), row.Number, s.limit.Columns)
	if s.Delimiter != 0 {
		detail += fmt.Sprintf(", or choose another delimiter than %q", s.Delimiter)
	}
	return &Problem{
		Code: CodeTooManyColumns, Sheet: s.Sheet, Row: row.Number,
		Column: table.ColumnName(row.Beyond - 1), Detail: detail + ".",
	}
}
