package importers

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// Source is an open upload: what the file is, its header, and its rows in
// their order. It is for one goroutine. Close it.
type Source struct {
	// Format is "xlsx" (macro-enabled workbooks too), "csv" or "tsv".
	Format string
	// Sheet is the sheet being read, empty for text files.
	Sheet string
	// Sheets is the visible sheets of the workbook in the order of its tabs.
	Sheets []string
	// Encoding is the character set of a text file, such as "utf-8"; empty
	// for workbooks.
	Encoding string
	// Delimiter separates the cells of a text file; 0 for workbooks.
	Delimiter rune
	// Header is the headings, without the blanks around them. Each is there
	// and none is there twice, whatever its case: a column without a heading of
	// its own is left out of Header and of all rows, and Warnings name it.
	Header []string
	// HeaderRow is the row of the header as the person sees it, from 1.
	HeaderRow int
	// Warnings say in plain words what was decided without asking. They grow
	// while rows are read, and are complete at the end.
	Warnings []string

	up      *upload
	content *content  // closed with the Source; nil if it is another's
	book    *workbook // nil for text files
	rows    rowReader
	limit   Limits
	queue   []Row // rows read ahead
	held    error // what reading ahead ended with
	count   int   // data rows given out
	err     error // why there are no more rows

	above   rowsAbove
	doubled []doubled // columns left out for a heading that another has
	drop    []bool    // by column of the file: it is left out; nil if none is
	kept    []Cell    // of the row given out last, without the columns left out
}

// doubled is a column whose heading another column before it has.
type doubled struct {
	heading string
	first   int // place of the other in Header
	at, col int // the columns of both in the file, from 0
}

// rowReader is one format's rows, blank ones included.
type rowReader interface {
	// next returns the next row; its cells are good until the next call. It
	// returns io.EOF only at the proved end.
	next() (Row, error)
	close() error
}

// Next returns the next row that is not blank. Its Cells are good until the
// next call of Next. At the end, and only if the file was proved to be whole,
// it returns io.EOF. Any other error is a *Problem, or a fault of the storage;
// rows given out before are right, but not all there are. After an error, Next
// returns the same error.
func (s *Source) Next() (Row, error) {
	if s.err != nil {
		return Row{}, s.err
	}
	row, err := s.take()
	if err == nil && s.count == s.limit.Rows {
		err = tooManyRows(s.Sheet, row.Number, s.limit.Rows)
	}
	if err != nil {
		s.err = err
		return Row{}, err
	}
	s.count++
	return s.fit(row), nil
}

// tooManyRows is the problem of a file with more rows than most.
func tooManyRows(sheet string, row, most int) *Problem {
	return &Problem{
		Code: CodeTooManyRows, Sheet: sheet, Row: row,
		Detail: fmt.Sprintf("The file has more than %d rows of data. Split it into several files.", most),
	}
}

// fit takes the columns that are left out from a row.
func (s *Source) fit(row Row) Row {
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

// take returns a row read ahead, or the next one.
func (s *Source) take() (Row, error) {
	switch {
	case len(s.queue) > 0:
	case s.held != nil:
		return Row{}, s.held
	default:
		return s.read()
	}
	row := s.queue[0]
	s.queue = s.queue[1:]
	return row, nil
}

// read returns the next row of the file that is not blank.
func (s *Source) read() (Row, error) {
	for {
		row, err := s.rows.next()
		if err != nil {
			return Row{}, s.up.blame(err)
		}
		if !row.blank() {
			return row, nil
		}
	}
}

// lookAhead makes sure that there is a data row, or a fault to tell of.
func (s *Source) lookAhead() error {
	if len(s.queue) > 0 {
		return nil
	}
	row, err := s.take()
	if err == io.EOF {
		return &Problem{
			Code: CodeNoDataRows, Sheet: s.Sheet, Row: s.HeaderRow,
			Detail: "The file has headings but no rows of data below them.",
		}
	}
	if err != nil {
		return err
	}
	if row.Beyond > 0 { // of the first row, before any is imported
		return s.tooWide(row)
	}
	row.Cells = slices.Clone(row.Cells)
	s.queue = append(s.queue, row)
	return nil
}

// warn adds a warning once.
func (s *Source) warn(text string) {
	if !slices.Contains(s.Warnings, text) {
		s.Warnings = append(s.Warnings, text)
	}
}

// errClosed is what Next answers after Close.
var errClosed = errors.New("importers: source is closed")

// Close gives back what reading needs. The upload itself stays open: it is the
// caller's. Close may come twice.
func (s *Source) Close() error {
	s.err = errClosed
	var err error
	if s.rows != nil {
		err = s.rows.close()
	}
	if s.content != nil {
		err = either(err, s.content.close())
	}
	return err
}
