package xlsx

import (
	"io"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// SheetReader is a reader of the rows of one sheet, from a stream of its XML. It is not safe for
// concurrent use. The caller closes it.
type SheetReader struct {
	x     *xmlScanner
	book  *Workbook
	name  string
	part  string // its entry in the workbook
	limit tabular.Limits
	warn  func(string)

	row   int     // number of the row being read, or read last
	whole int     // last completely read row
	col   int     // column after the last cell, from 0
	seen  []int32 // by column: the last row with a cell there
	build tabular.Builder
	done  bool // the sheet was read to its proved end

	zeroDates bool               // a zero in a date format was found
	shapes    []string           // by column: the format of the last warning
	totals    map[int][]colRange // the tables that have their totals in a row, by its number
}

// OpenSheet opens a sheet and reads up to its rows. The reader calls `warn` with a sentence about contents
// whose import or omission may surprise users, such as hidden rows.
func OpenSheet(book *Workbook, info Sheet, warn func(string)) (*SheetReader, error) {
	limit := book.box.limit
	s := &SheetReader{book: book, name: info.Name, part: info.part, limit: limit, warn: warn}
	s.build.Chars = limit.CellChars
	var err error
	if s.x, err = book.box.open(info.part); err != nil {
		return nil, err
	}
	if err := s.x.enter("worksheet"); err != nil {
		return nil, err
	}
	if s.totals, err = book.box.totals(info.part); err != nil {
		return nil, err
	}
	s.done, err = s.outside()
	return s, err
}

// outside reads the elements before or after the rows. It returns false when the rows begin, and true at
// the end of the part.
func (s *SheetReader) outside() (end bool, err error) {
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
				err = s.warnAbout()
			default:
				err = s.x.skip()
			}
		}
		if err != nil {
			return false, err
		}
	}
}

// warnAbout adds a warning about merged cells, a filter or hidden columns.
func (s *SheetReader) warnAbout() error {
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

// columns adds a warning if the sheet has hidden columns.
func (s *SheetReader) columns() error {
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

// Next returns the next row that the sheet stores, even if the row is blank. The row is valid until the
// next call. Next returns io.EOF only if the sheet and the shared strings are complete.
func (s *SheetReader) Next() (tabular.Row, error) {
	for !s.done {
		tok, err := s.x.next()
		switch {
		case err != nil:
			return tabular.Row{}, s.fail(err)
		case tok == tokenText:
			err = s.x.blankText()
		case tok == tokenEnd:
			err = s.finish()
		case string(local(s.x.name)) == "row":
			row, err := s.readRow()
			return s.withoutTotals(row), s.fail(err)
		case string(local(s.x.name)) == "extLst":
			err = s.x.skip()
		default:
			err = s.x.damaged("there is an unknown element %q", s.x.name)
		}
		if err != nil {
			return tabular.Row{}, s.fail(err)
		}
	}
	return tabular.Row{}, s.fail(s.end())
}

// finish reads the elements after the rows. It rejects a second set of rows, which would be lost.
func (s *SheetReader) finish() (err error) {
	if s.done, err = s.outside(); err == nil && !s.done {
		return s.x.damaged("there is a second set of rows")
	}
	return err
}

// end checks that the shared strings are complete as well, and returns io.EOF.
func (s *SheetReader) end() error {
	if err := s.book.texts.drain(); err != nil {
		return err
	}
	return io.EOF
}

// fail adds the sheet and the last completely read row to an error.
func (s *SheetReader) fail(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return tabular.Placed(err, s.name, s.whole)
}

// Close deletes the temporary file of the shared strings, if there is one.
func (s *SheetReader) Close() error { return s.book.close() }
