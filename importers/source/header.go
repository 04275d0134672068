package source

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// headerRows is the number of rows, not counting blank rows, that are searched for headings.
const headerRows = 20

// headerAt reads up to the row that the caller has chosen, and makes it the header. It returns a
// *tabular.Problem if that row is blank or does not exist.
func (s *Table) headerAt(want int) error {
	for n := 0; ; n++ {
		row, err := s.read()
		switch {
		case err == io.EOF && n == 0:
			return tabular.Problemf(tabular.CodeEmptyFile, "The file holds no data. Choose a file with headings and rows.")
		case err != nil && err != io.EOF:
			return err
		case err == io.EOF, row.Number > want:
			return &tabular.Problem{
				Code: tabular.CodeHeaderNotFound, Row: want,
				Detail: fmt.Sprintf("Row %d is empty or does not exist: it cannot be the header.", want),
			}
		case row.Number == want:
			return s.setHeader(row)
		}
		s.above.add(row)
	}
}

// setHeader sets the headings from a row. It adds warnings about the rows and columns that the table omits.
func (s *Table) setHeader(row tabular.Row) error {
	if row.Beyond > 0 {
		return s.TooWide(row)
	}
	cells := slices.Clone(row.Cells)
	for i := range cells {
		cells[i].Text = tabular.TrimHeading(cells[i].Text)
	}
	for len(cells) > 0 && cells[len(cells)-1] == (tabular.Cell{}) {
		cells = cells[:len(cells)-1]
	}
	s.HeaderRow = row.Number
	s.takeHeadings(cells)
	if len(s.Header) == 0 {
		return &tabular.Problem{
			Code: tabular.CodeHeaderNotFound, Sheet: s.Sheet, Row: row.Number,
			Detail: fmt.Sprintf("Row %d holds no headings.", row.Number),
		}
	}
	s.above.warn(s.HeaderRow, s.Warn)
	return nil
}

// takeHeadings sets s.Header to the readable headings, without blank and repeated ones. It records the
// omitted columns in s.drop, and adds warnings about them.
func (s *Table) takeHeadings(cells []tabular.Cell) {
	seen := map[string]int{} // key of a heading to its index in s.Header
	var blank, twice, faulty []string
	drop := make([]bool, len(cells))
	places := []int{}
	for col, c := range cells {
		name, key := table.ColumnName(col), tabular.HeadKey(c.Text)
		first, again := seen[key]
		switch {
		case c.Code != "":
			faulty = append(faulty, headingName(name, c.Text))
		case c.Text == "":
			blank = append(blank, name)
		case again:
			s.doubled = append(s.doubled, DuplicateHeading{c.Text, first, places[first], col})
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
	s.leftOut("warning.no_heading", blank)
	s.leftOut("warning.same_heading", twice)
	s.leftOut("warning.faulty_heading", faulty)
}

// headingName returns the name of a column for a warning: its letters and the text of its heading.
func headingName(column, text string) string {
	if text == "" {
		return column
	}
	return fmt.Sprintf("%s (%q)", column, tabular.Shorten(text))
}

// leftOut adds a warning about omitted columns, if there are any. The argument `key` is the key of the
// warning's text.
func (s *Table) leftOut(key string, columns []string) {
	if len(columns) > 0 {
		s.Warn(words.English(key, map[string]string{"columns": strings.Join(columns, ", ")}))
	}
}

// TooWide returns the problem of a row that has a value right of Limits.Columns.
func (s *Table) TooWide(row tabular.Row) error {
	detail := fmt.Sprintf("There is a value in cell %s%d, but a file may have %d columns at most. "+
		"Delete the columns that are not needed", table.ColumnName(row.Beyond-1), row.Number, s.limit.Columns)
	if s.Delimiter != 0 {
		detail += fmt.Sprintf(", or choose another delimiter than %q", s.Delimiter)
	}
	return &tabular.Problem{
		Code: tabular.CodeTooManyColumns, Sheet: s.Sheet, Row: row.Number,
		Column: table.ColumnName(row.Beyond - 1), Detail: detail + ".",
	}
}

// HeadingTwice returns a problem if a column repeats an earlier heading. It ignores a column for which
// the function `isMapped` returns false.
func (s *Table) HeadingTwice(isMapped func(DuplicateHeading) bool) error {
	var p *tabular.Problem
	for _, d := range s.doubled {
		if !isMapped(d) {
			continue
		}
		detail := fmt.Sprintf("Columns %s (%q) and %s (%q) have the same heading.",
			table.ColumnName(d.at), s.Header[d.First], table.ColumnName(d.col), d.Heading)
		if p == nil {
			p = &tabular.Problem{
				Code: tabular.CodeDuplicateHeader, Sheet: s.Sheet, Row: s.HeaderRow,
				Column: table.ColumnName(d.col),
			}
		}
		p.Errors = append(p.Errors, tabular.Fault{
			Column: table.ColumnName(d.col), Row: s.HeaderRow, Code: tabular.CodeDuplicateHeader, Detail: detail,
		})
	}
	if p == nil {
		return nil
	}
	for _, f := range p.Errors[:min(len(p.Errors), 5)] {
		p.Detail += f.Detail + " "
	}
	p.Detail += "Give each column a heading of its own."
	return p
}
