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

// invisible tells what surrounds a heading without being seen: blanks of all
// kinds, zero-width characters and the byte order mark.
func invisible(r rune) bool {
	return unicode.IsSpace(r) || r >= 0x200B && r <= 0x200F || r == 0x2060 || r == 0xFEFF
}

func trimHeading(s string) string { return strings.TrimFunc(s, invisible) }

// headKey is what two headings must not share: case, blanks and the way that
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

// findHeader reads up to the header and keeps it. The first rows of a list,
// which come after its heading, are queued.
func (s *Source) findHeader(want int) error {
	if want > 0 {
		return s.headerAt(want)
	}
	var list []Row
	count, single := 0, true
	for ; count < headerRows; count++ {
		row, err := s.read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if headings(row) >= 2 {
			return s.setHeader(row)
		}
		if single = single && len(row.Cells) == 1; single {
			row.Cells = slices.Clone(row.Cells)
			list = append(list, row)
		}
	}
	switch {
	case count == 0:
		return problemf(CodeEmptyFile, "The file holds no data.")
	case !single || headings(list[0]) == 0:
		return problemf(CodeHeaderNotFound, "None of the first %d rows looks like column headings. "+
			"Put the headings above the data, or say in which row they are.", headerRows)
	}
	s.queue = list[1:]
	return s.setHeader(list[0])
}

// headerAt reads up to the row that was asked for.
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
	}
}

// headings counts the cells that may be headings; a comment line has none.
func headings(row Row) int {
	n := 0
	for i, c := range row.Cells {
		text := trimHeading(c.Text)
		if i == 0 && strings.HasPrefix(text, "# ") {
			return 0
		}
		if text != "" && c.Code == "" && !looksNumeric(text) {
			n++
		}
	}
	return n
}

// setHeader takes the headings from a row and checks them.
func (s *Source) setHeader(row Row) error {
	cells := slices.Clone(row.Cells)
	for i := range cells {
		cells[i].Text = trimHeading(cells[i].Text)
	}
	for len(cells) > 0 && cells[len(cells)-1] == (Cell{}) {
		cells = cells[:len(cells)-1]
	}
	if len(cells) == 0 {
		return &Problem{
			Code: CodeHeaderNotFound, Sheet: s.Sheet, Row: row.Number,
			Detail: fmt.Sprintf("Row %d holds no headings.", row.Number),
		}
	}
	s.HeaderRow = row.Number
	var faults []Fault
	seen := map[string]int{}
	for col, c := range cells {
		s.Header = append(s.Header, c.Text)
		if f := headingFault(seen, col, cells); f.Code != "" {
			f.Column, f.Row = table.ColumnName(col), row.Number
			faults = append(faults, f)
			continue
		}
		seen[headKey(c.Text)] = col
	}
	return s.headerProblem(faults)
}

// headingFault says what is wrong with one heading, given those before it.
func headingFault(seen map[string]int, col int, cells []Cell) Fault {
	c := cells[col]
	if c.Code != "" {
		return Fault{Code: c.Code, Detail: fmt.Sprintf(
			"The heading of column %s cannot be used. %s", table.ColumnName(col), c.Detail)}
	}
	if c.Text == "" {
		return Fault{Code: CodeBlankHeader, Detail: fmt.Sprintf(
			"Column %s has no heading.", table.ColumnName(col))}
	}
	if other, ok := seen[headKey(c.Text)]; ok {
		return Fault{Code: CodeDuplicateHeader, Detail: fmt.Sprintf(
			"Columns %s (%q) and %s (%q) have the same heading.", table.ColumnName(other),
			cells[other].Text, table.ColumnName(col), c.Text)}
	}
	return Fault{}
}

// headerProblem makes one Problem of all faults of the header.
func (s *Source) headerProblem(faults []Fault) error {
	if len(faults) == 0 {
		return nil
	}
	p := &Problem{
		Code: faults[0].Code, Sheet: s.Sheet, Row: s.HeaderRow,
		Column: faults[0].Column, Errors: faults,
	}
	for _, f := range faults[:min(len(faults), 5)] {
		p.Detail += f.Detail + " "
	}
	p.Detail += "Give each column a heading of its own."
	return p
}
