package source

import (
	"errors"
	"io"
	"slices"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/importers/xlsx"
)

// Table is an open table: its format, its header, and its rows in order. It is not safe for
// concurrent use. The caller closes it.
type Table struct {
	// Format is "xlsx" (for macro-enabled workbooks, too), "csv" or "tsv".
	Format string
	// Sheet is the name of the sheet, or "" for text files.
	Sheet string
	// Sheets holds the names of the workbook's visible sheets that have cells, in the order of the tabs.
	// It is nil for text files.
	Sheets []string
	// Encoding is the character set of a text file, such as "utf-8"; empty for workbooks.
	Encoding string
	// Delimiter separates the cells of a text file; 0 for workbooks.
	Delimiter rune
	// Header holds the headings, without surrounding blanks. No heading is empty, and no heading occurs
	// twice, even with a difference in case or blanks. Header and all rows omit a column if its heading
	// is empty, unreadable, or equal to an earlier heading. Warnings lists the omitted columns. Rows
	// keep cells right of the last heading.
	Header []string
	// HeaderRow is the row of the header as users see it, from 1.
	HeaderRow int
	// Warnings holds sentences for users, for example about columns that are left out. The list
	// grows while rows are read, and is complete at the end.
	Warnings []string

	up      *tabular.Upload
	content *File          // closed with the Table; nil if the caller closes it
	book    *xlsx.Workbook // nil for text files
	rows    rowReader
	limit   tabular.Limits
	queue   []tabular.Row // rows read ahead
	held    error         // error at the end of reading ahead
	count   int           // number of returned data rows
	err     error         // the error or io.EOF that ended the rows

	above   rowsAbove
	doubled []DuplicateHeading // columns left out because another column has the same heading
	drop    []bool             // by column of the file: whether it is left out; nil if none is
	kept    []tabular.Cell     // cells of the last returned row, without the columns left out
}

// DuplicateHeading is a column that repeats the heading of an earlier column.
type DuplicateHeading struct {
	Heading string
	First   int // index of the earlier column in Header
	at, col int // the columns of both in the file, from 0
}

// rowReader is a reader of the rows of one format, including blank rows.
type rowReader interface {
	// Next returns the next row, whose Cells are valid until the next call. It returns io.EOF only
	// if the file is complete.
	Next() (tabular.Row, error)
	Close() error
}

// Next returns the next row that is not blank. Its Cells are valid until the next call. Next returns
// io.EOF only if the file is proved to be complete. Any other error is a *tabular.Problem or a fault of
// the storage. The rows returned before such an error are correct, but the file may have more rows.
// After an error, Next returns the same error again.
func (s *Table) Next() (tabular.Row, error) {
	if s.err != nil {
		return tabular.Row{}, s.err
	}
	row, err := s.take()
	if err == nil && s.count == s.limit.Rows {
		err = tabular.TooManyRows(s.Sheet, row.Number, s.limit.Rows)
	}
	if err != nil {
		s.err = err
		return tabular.Row{}, err
	}
	s.count++
	return s.fit(row), nil
}

// fit removes the omitted columns from a row.
func (s *Table) fit(row tabular.Row) tabular.Row {
	if s.drop == nil {
		return row
	}
	s.kept = s.kept[:0]
	for col, c := range row.Cells {
		if col >= len(s.drop) || !s.drop[col] {
			s.kept = append(s.kept, c)
		}
	}
	for n := len(s.kept); n > 0 && s.kept[n-1].Code == "" && s.kept[n-1].Text == ""; n-- {
		s.kept = s.kept[:n-1]
	}
	row.Cells = s.kept
	for _, dropped := range s.drop[:min(len(s.drop), row.Width)] {
		if dropped {
			row.Width--
		}
	}
	return row
}

// take returns a row that was read ahead, or the next row of the file.
func (s *Table) take() (tabular.Row, error) {
	switch {
	case len(s.queue) > 0:
	case s.held != nil:
		return tabular.Row{}, s.held
	default:
		return s.read()
	}
	row := s.queue[0]
	s.queue = s.queue[1:]
	return row, nil
}

// read returns the next row of the file that is not blank.
func (s *Table) read() (tabular.Row, error) {
	for {
		row, err := s.rows.Next()
		if err != nil {
			return tabular.Row{}, s.up.IOErr(err)
		}
		if !row.Blank() {
			return row, nil
		}
	}
}

// lookAhead reads the first data row, unless findHeader has already read it. It returns a problem if
// there is no data row, or if the first data row has a value right of column Limits.Columns.
func (s *Table) lookAhead() error {
	if len(s.queue) == 0 {
		row, err := s.take()
		if err == io.EOF {
			return &tabular.Problem{
				Code: tabular.CodeNoDataRows, Sheet: s.Sheet, Row: s.HeaderRow,
				Detail: "The file has headings but no rows of data below them. Add rows and upload the file again.",
			}
		}
		if err != nil {
			return err
		}
		row.Cells = slices.Clone(row.Cells)
		s.queue = append(s.queue, row)
	}
	if first := s.queue[0]; first.Beyond > 0 { // rejects the file before any row is imported
		return s.TooWide(first)
	}
	return nil
}

// Warn adds a warning, unless the list already contains it.
func (s *Table) Warn(text string) {
	if !slices.Contains(s.Warnings, text) {
		s.Warnings = append(s.Warnings, text)
	}
}

var errClosed = errors.New("source: the table is closed")

// Close releases the resources of the table. The upload stays open, because it belongs to the
// caller. A second call is a no-op.
func (s *Table) Close() error {
	s.err = errClosed
	var err error
	if s.rows != nil {
		err = s.rows.Close()
	}
	if s.content != nil {
		err = tabular.FirstErr(err, s.content.Close())
	}
	return err
}
