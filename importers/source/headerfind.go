package source

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// headerSearch is the state of the search for the headings in the first rows of a file.
//
// The first row of the table is the header unless it is a comment or contains only numbers. Rows with one
// cell above a table are titles. If no table follows them, they are a list, and the first of them is its
// heading.
type headerSearch struct {
	titles  []tabular.Row // rows with one cell, so far
	numbers bool          // a row without a heading was found
}

// findHeader reads up to the header and stores it. It queues the rows that it has read after the
// header.
func (s *Table) findHeader(want int) error {
	if want > 0 {
		return s.headerAt(want)
	}
	var search headerSearch
	count := 0
	for ; count < headerRows; count++ {
		row, err := s.read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		switch {
		case isComment(row) && len(search.titles) == 0:
			s.above.add(row)
		case row.Beyond > 0:
			return s.setHeader(row)
		case len(row.Cells) == 1 && !search.numbers:
			row.Cells = slices.Clone(row.Cells)
			search.titles = append(search.titles, row)
		case search.isHeader(row):
			return s.chooseHeader(search.titles, row)
		default:
			s.above.addAll(search.titles)
			s.above.add(row)
			search = headerSearch{numbers: true}
		}
	}
	return s.headList(search.titles, count)
}

// isHeader reports whether a row of several cells may be the header. Such a row has at least one
// heading. If rows other than comments are above it, it has at least two. In this case, a year counts as
// a heading.
func (h *headerSearch) isHeader(row tabular.Row) bool {
	n := headings(row)
	switch {
	case n == 0 || isComment(row):
		return false
	case len(h.titles) == 0 && !h.numbers:
		return true
	}
	return n+years(row) >= 2
}

// chooseHeader decides whether a row of several cells below rows of one cell is the header. It is the
// header if most of the next len(titles) rows have several cells, or if the first row cannot be a
// heading. Otherwise the file is a list, and its first row is the heading.
func (s *Table) chooseHeader(titles []tabular.Row, row tabular.Row) error {
	if len(titles) == 0 {
		return s.setHeader(row)
	}
	row.Cells = slices.Clone(row.Cells)
	wide := 0
	below := s.readAhead(len(titles))
	for _, r := range below {
		if len(r.Cells) > 1 || r.Beyond > 0 {
			wide++
		}
	}
	if 2*wide > len(below) || headings(titles[0]) == 0 {
		s.above.addAll(titles)
		s.queue = below
		return s.setHeader(row)
	}
	s.queue = slices.Concat(titles[1:], []tabular.Row{row}, below)
	return s.setHeader(titles[0])
}

// readAhead reads up to `n` rows. After an error it returns the rows before the error, and a later
// call of Next returns the error.
func (s *Table) readAhead(n int) (rows []tabular.Row) {
	for range n {
		row, err := s.read()
		if err != nil {
			s.held = err
			return rows
		}
		row.Cells = slices.Clone(row.Cells)
		rows = append(rows, row)
	}
	return rows
}

// headList uses the first row with one cell as the heading of a list. It returns a problem if no row can
// be a heading. The argument `count` is the number of rows that findHeader has read.
func (s *Table) headList(list []tabular.Row, count int) error {
	switch {
	case count == 0:
		return tabular.Problemf(tabular.CodeEmptyFile, "The file holds no data. Choose a file with headings and rows.")
	case len(list) == 0 || headings(list[0]) == 0:
		return tabular.Problemf(tabular.CodeHeaderNotFound, "None of the first %d rows looks like column headings. "+
			"Put the headings above the data, or choose their row.", headerRows)
	}
	s.queue = list[1:]
	return s.setHeader(list[0])
}

// isComment reports whether a row is a comment: its first text begins with "# ".
func isComment(row tabular.Row) bool {
	return len(row.Cells) > 0 && strings.HasPrefix(tabular.TrimHeading(row.Cells[0].Text), "# ")
}

// headings returns the number of cells that may be headings. Numbers are not headings.
func headings(row tabular.Row) int {
	n := 0
	for _, c := range row.Cells {
		text := tabular.TrimHeading(c.Text)
		if text != "" && c.Code == "" && !looksNumeric(text) {
			n++
		}
	}
	return n
}

// years returns the number of cells that contain a year from 1800 to 2199. A year is often the heading
// of a column.
func years(row tabular.Row) int {
	n := 0
	for _, c := range row.Cells {
		text := tabular.TrimHeading(c.Text)
		if year, err := strconv.Atoi(text); err == nil && len(text) == 4 && year >= 1800 && year < 2200 {
			n++
		}
	}
	return n
}

// looksNumeric reports whether a heading is a decimal number, which is probably a value. It returns false
// for Inf and 0x1p2, although strconv parses them.
func looksNumeric(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil && !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) && r != 'e' && r != 'E' })
}
