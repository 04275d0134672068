package source

import (
	"errors"
	"io"
	"strconv"

	"github.com/rollcall-dev/rollcall/importers/resultfile"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/importers/textfile"
	"github.com/rollcall-dev/rollcall/importers/xlsx"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// Options holds the options for reading an upload. Without an option, the reader decides by the content of
// the upload.
type Options struct {
	// Name is the file name of the upload. The content determines the format. The ending of the name
	// decides only between delimiters that fit equally well.
	Name string
	// Sheet is the name of the sheet to read. Default: the first visible sheet with cells.
	Sheet string
	// HeaderRow is the row of the headings as users see it, from 1. Default 0: the reader
	// searches the first 20 rows that are not blank for the first row of a table or list. It omits
	// comments, titles and rows of numbers above the headings, with a warning.
	HeaderRow int
	// Limits bounds the contents of the file.
	Limits tabular.Limits
	// Delimiter is the ASCII character that separates the cells of a text file. Default 0: the
	// content decides between comma, semicolon, tab and bar.
	Delimiter rune
	// Encoding is the WHATWG name of the character set of a text file, such as "windows-1251". A byte
	// order mark in the file takes precedence. Default "": Unicode or, if the text is not Unicode,
	// the character set in which the text is plausible. If several are plausible, Open returns a
	// *tabular.Problem.
	Encoding string
}

// Open opens the table in an upload of `size` bytes, and reads up to its first data row. It returns a
// *tabular.Problem if the file cannot be imported, has no data row, or contains rows in JSON. Open
// returns another error if `r` cannot be read. The reader `r` must stay open until the Table is closed.
func Open(r io.ReaderAt, size int64, opt Options) (*Table, error) {
	c, err := RecognizeTable(r, size, opt)
	if err != nil {
		return nil, err
	}
	s, err := c.Table(opt)
	if err != nil {
		return nil, tabular.FirstErr(err, c.Close())
	}
	s.content = c
	return s, nil
}

// Recognize unpacks an upload of `size` bytes if it is packed, and detects its content: rows in JSON
// or a table. For other content it returns a *tabular.Problem. The reader `r` must stay open until
// the File is closed.
func Recognize(r io.ReaderAt, size int64, opt Options) (*File, error) {
	return RecognizeJSON(r, size, opt, "")
}

// RecognizeTable is like Recognize, but returns a *tabular.Problem for rows in JSON.
func RecognizeTable(r io.ReaderAt, size int64, opt Options) (*File, error) {
	c, err := Recognize(r, size, opt)
	if err == nil && c.format != "" {
		return nil, tabular.FirstErr(tabular.Unsupported("rows in JSON, which are no table"), c.Close())
	}
	return c, err
}

// RecognizeJSON is like Recognize, for an upload whose rows are known to be in the given JSON format. With
// the format "", it equals Recognize.
func RecognizeJSON(r io.ReaderAt, size int64, opt Options, format string) (*File, error) {
	c, err := unpackFile(tabular.NewUpload(r, size), opt.Name, opt.Limits.WithDefaults())
	if err != nil {
		return nil, err
	}
	if err := c.findJSON(opt.Encoding, format); err != nil {
		return nil, tabular.FirstErr(err, c.Close())
	}
	return c, nil
}

// Table opens the table in the file, and reads up to its first data row. The caller closes the
// table and the file.
func (c *File) Table(opt Options) (*Table, error) {
	s := &Table{up: c.up, limit: opt.Limits.WithDefaults()}
	err := s.open(c, opt)
	if err == nil {
		err = s.begin(opt.HeaderRow)
	}
	if err != nil {
		err = s.offerOther(err)
		_ = s.Close() // the first error is the cause
		return nil, tabular.Placed(s.up.IOErr(err), s.Sheet, 0)
	}
	return s, nil
}

// open opens the rows of a table. It does not search for the header.
func (s *Table) open(c *File, opt Options) error {
	opt.Name = c.name
	if c.book != nil {
		return s.openXLSX(c.book, opt)
	}
	if opt.Sheet != "" {
		s.Warn(words.English("warning.no_workbook", nil))
	}
	return s.openText(c, opt)
}

// openText opens a table in a text file.
func (s *Table) openText(c *File, opt Options) error {
	set, err := c.charset(opt.Encoding)
	if err != nil {
		return err
	}
	rows, err := textfile.Open(c.up, set, textfile.Options{Name: opt.Name, Delimiter: opt.Delimiter, Limits: s.limit}, s.Warn)
	if err != nil {
		return err
	}
	s.rows, s.Encoding, s.Delimiter, s.Format = rows, set.Name, rows.Delimiter(), tabular.FormatCSV
	if s.Delimiter == '\t' {
		s.Format = tabular.FormatTSV
	}
	return nil
}

// charset returns the character set of a text file. It reuses the last result if the requested name is
// the same.
func (c *File) charset(asked string) (textfile.Charset, error) {
	if c.textSet == nil || c.asked != asked {
		set, err := textfile.FindCharset(c.up, asked)
		if err != nil {
			return textfile.Charset{}, err
		}
		c.textSet, c.asked = &set, asked
	}
	return *c.textSet, nil
}

// begin finds the header and the first data row.
func (s *Table) begin(headerRow int) error {
	if err := s.findHeader(headerRow); err != nil {
		return err
	}
	if s.Delimiter != 0 && resultfile.IsResult(s.Header) {
		for i, h := range s.Header {
			s.Header[i] = resultfile.Restore(h, s.Encoding)
		}
	}
	return s.lookAhead()
}

func (s *Table) openXLSX(c *xlsx.Container, opt Options) error {
	s.Format = tabular.FormatXLSX
	if opt.Encoding != "" || opt.Delimiter != 0 {
		s.Warn(words.English("warning.workbook", nil))
	}
	book, err := xlsx.OpenWorkbook(c)
	if err != nil {
		return err
	}
	info, err := book.Pick(opt.Sheet)
	if err != nil {
		return err
	}
	s.Sheet, s.Sheets = info.Name, book.Visible()
	rows, err := xlsx.OpenSheet(book, info, s.Warn)
	if err != nil {
		return err
	}
	s.rows, s.book = rows, book
	if len(s.Sheets) > 1 {
		s.Warn(words.English("warning.sheets", map[string]string{"number": strconv.Itoa(len(s.Sheets)), "sheet": info.Name}))
	}
	return nil
}

// offerOther replaces the problem that the chosen sheet is empty, if another visible sheet among the first
// 50 has data. The new problem names the other sheet. offerOther returns any other error unchanged.
func (s *Table) offerOther(err error) error {
	var p *tabular.Problem
	if !errors.As(err, &p) || p.Code != tabular.CodeEmptyFile || s.book == nil {
		return err
	}
	for _, info := range s.book.Sheets[:min(len(s.book.Sheets), 50)] {
		if !info.Cells || info.Hidden || info.Name == s.Sheet {
			continue
		}
		full, err := s.holdsRows(info)
		if err != nil {
			return err
		}
		if full {
			return tabular.Problemf(tabular.CodeEmptySheet, "The sheet %q is empty, but the sheet %q holds data. "+
				"Choose that sheet, or move it to the front.", s.Sheet, info.Name)
		}
	}
	return err
}

// holdsRows reports whether a sheet has a row that is not blank.
func (s *Table) holdsRows(info xlsx.Sheet) (bool, error) {
	rows, err := xlsx.OpenSheet(s.book, info, func(string) {})
	if err != nil {
		return false, err
	}
	probe := Table{up: s.up, rows: rows}
	_, err = probe.read()
	if err == io.EOF {
		return false, nil
	}
	return err == nil, err
}

// FirstRows calls the function `visit` for the first 20 rows of a table that are not blank. Open
// searches these rows for the headings.
func (c *File) FirstRows(opt Options, visit func(tabular.Row)) error {
	s := &Table{up: c.up, limit: opt.Limits.WithDefaults()}
	defer s.Close()
	if err := s.open(c, opt); err != nil {
		return err
	}
	for range headerRows {
		row, err := s.read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		visit(row)
	}
	return nil
}
