package importers

import (
	"fmt"
	"io"
	"slices"
	"strconv"
)

// sheetReader reads the rows of one sheet as its XML streams by.
type sheetReader struct {
	x     *xmlScanner
	book  *workbook
	name  string
	limit Limits
	warn  func(string)

	row   int     // number of the row being read, or read last
	whole int     // last row that was read whole
	col   int     // column after the last cell, from 0
	seen  []int32 // by column: the last row with a cell there
	build rowBuilder
	done  bool // the sheet was read to its proved end
}

// openSheet enters the part of a sheet, up to its rows.
func openSheet(book *workbook, info sheetInfo, warn func(string)) (*sheetReader, error) {
	limit := book.box.limit
	s := &sheetReader{book: book, name: info.name, limit: limit, warn: warn}
	s.build.chars = limit.CellChars
	var err error
	if s.x, err = book.box.open(info.part); err != nil {
		return nil, err
	}
	if err := s.x.enter("worksheet"); err != nil {
		return nil, err
	}
	s.done, err = s.outside()
	return s, err
}

// outside reads what is before and after the rows, up to the start of the
// rows, or to the end of the part: then it is true.
func (s *sheetReader) outside() (end bool, err error) {
	for {
		tok, err := s.x.next()
		switch {
		case err != nil:
			return false, err
		case tok == tokenEOF:
			return true, nil
		case tok == tokenText:
			err = s.x.blankText()
		case tok == tokenStart:
			switch string(local(s.x.name)) {
			case "sheetData":
				return false, nil
			case "cols", "mergeCells", "autoFilter":
				err = s.notice()
			default:
				err = s.x.skip()
			}
		}
		if err != nil {
			return false, err
		}
	}
}

// notice warns of what a person may not expect to be imported as it is.
func (s *sheetReader) notice() error {
	switch string(local(s.x.name)) {
	case "mergeCells":
		s.warn("Some cells are merged: the value counts for the first of them only.")
	case "autoFilter":
		s.warn("The sheet has a filter: rows that it hides are imported too.")
	case "cols":
		return s.columns()
	}
	return s.x.skip()
}

// columns looks for hidden columns.
func (s *sheetReader) columns() error {
	for {
		tok, err := s.x.next()
		if err != nil || tok == tokenEnd && string(local(s.x.name)) == "cols" {
			return err
		}
		if tok == tokenStart && truth(s.x.attr("hidden")) {
			s.warn("Some columns are hidden: they are imported too.")
		}
	}
}

// next returns the next row, blank ones included, and io.EOF at the proved
// end of the sheet and of the shared texts.
func (s *sheetReader) next() (Row, error) {
	for !s.done {
		tok, err := s.x.next()
		switch {
		case err != nil:
			return Row{}, s.fail(err)
		case tok == tokenText:
			err = s.x.blankText()
		case tok == tokenEnd:
			err = s.finish()
		case string(local(s.x.name)) == "row":
			row, err := s.readRow()
			return row, s.fail(err)
		case string(local(s.x.name)) == "extLst":
			err = s.x.skip()
		default:
			err = s.x.damaged("there is an unknown element %q", s.x.name)
		}
		if err != nil {
			return Row{}, s.fail(err)
		}
	}
	return Row{}, s.fail(s.end())
}

// finish reads what follows the rows. A second set of rows would be lost.
func (s *sheetReader) finish() (err error) {
	if s.done, err = s.outside(); err == nil && !s.done {
		return s.x.damaged("there is a second set of rows")
	}
	return err
}

// end is io.EOF once the shared texts are proved too.
func (s *sheetReader) end() error {
	if err := s.book.texts.drain(); err != nil {
		return err
	}
	return io.EOF
}

// fail says where an error was met.
func (s *sheetReader) fail(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return placed(err, s.name, s.whole)
}

func (s *sheetReader) close() error { return s.book.close() }

// readRow reads the row just started.
func (s *sheetReader) readRow() (Row, error) {
	if err := s.startRow(); err != nil {
		return Row{}, err
	}
	for {
		tok, err := s.x.next()
		if err != nil {
			return Row{}, err
		}
		switch tok {
		case tokenEnd:
			s.whole = s.row
			return s.build.row(s.row, s.col), nil
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
			return Row{}, err
		}
	}
}

// startRow checks the number of the row: without one it follows the last.
func (s *sheetReader) startRow() error {
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
	if number > maxRow {
		return s.x.damaged("the row number %d is wrong", number)
	}
	s.row, s.col = number, 0
	s.build.reset()
	return nil
}

// place finds the column of a cell from its reference; without one it follows
// the last cell.
func (s *sheetReader) place(ref []byte) (int, error) {
	col := s.col
	if len(ref) > 0 {
		var row int
		if col, row = parseRef(ref); col < 0 || row != s.row {
			return 0, s.x.damaged("the cell reference %q is wrong in row %d", ref, s.row)
		}
	}
	if col >= maxCol {
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

// tooWide refuses a value right of the last column that is allowed.
func (s *sheetReader) tooWide(col int) error {
	return &Problem{
		Code: CodeTooManyColumns, Sheet: s.name, Row: s.row, Column: columnName(col),
		Detail: fmt.Sprintf("There is a value in cell %s%d, but a file may have %d columns at most. "+
			"Delete the columns that are not needed.", columnName(col), s.row, s.limit.Columns),
	}
}
