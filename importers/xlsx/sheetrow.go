package xlsx

import (
	"slices"
	"strconv"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// readRow reads the row whose start tag was just read.
func (s *SheetReader) readRow() (tabular.Row, error) {
	if err := s.startRow(); err != nil {
		return tabular.Row{}, err
	}
	for {
		quick, err := s.quickCell()
		if err != nil {
			return tabular.Row{}, err
		}
		if quick {
			continue
		}
		tok, err := s.x.next()
		if err != nil {
			return tabular.Row{}, err
		}
		switch tok {
		case tokenEnd:
			s.whole = s.row
			return s.build.Row(s.row, s.col), nil
		case tokenText:
			err = s.x.blankText()
		case tokenStart:
			switch string(local(s.x.name)) {
			case "c":
				err = s.readCell()
			case "extLst":
				err = s.x.skip()
			default:
				err = s.x.damaged("there is an unknown element %q", s.x.name)
			}
		}
		if err != nil {
			return tabular.Row{}, err
		}
	}
}

// startRow reads and checks the number of the row. A row without a number gets the next number. For a
// hidden row, it adds a warning.
func (s *SheetReader) startRow() error {
	number := s.row + 1
	for _, a := range s.x.attrs {
		switch string(a.name) {
		case "r":
			n, err := strconv.Atoi(string(a.value))
			if err != nil || n <= s.row {
				return s.x.damaged("the row number %q is wrong after row %d", a.value, s.row)
			}
			number = n
		case "hidden":
			if truth(string(a.value)) {
				s.warn("Some rows are hidden: they are imported too.")
			}
		}
	}
	if number > tabular.MaxRow && number == s.row+1 {
		return tabular.TooManyRows(s.name, number, tabular.MaxRow)
	}
	if number > tabular.MaxRow {
		return s.x.damaged("the row number %d is wrong", number)
	}
	s.row, s.col = number, 0
	s.build.Reset()
	return nil
}

// columnOf returns the column of a cell from its reference. A cell without a reference gets the column
// after the last cell. A second cell in the same column is an error.
func (s *SheetReader) columnOf(ref []byte) (int, error) {
	col := s.col
	if len(ref) > 0 {
		var row int
		if col, row = parseRef(ref); col < 0 || row != s.row {
			return 0, s.x.damaged("the cell reference %q is wrong in row %d", ref, s.row)
		}
	}
	if col >= tabular.MaxColumn {
		return 0, s.x.damaged("there are too many cells in row %d", s.row)
	}
	if col >= len(s.seen) {
		s.seen = slices.Grow(s.seen, col+1-len(s.seen))[:col+1]
	}
	if s.seen[col] == int32(s.row) {
		return 0, s.x.damaged("the cell %s%d is there twice", columnName(col), s.row)
	}
	s.seen[col] = int32(s.row)
	s.col = col + 1
	return col, nil
}
