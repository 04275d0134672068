package importers

import (
	"errors"
	"fmt"
	"io"
)

// OpenOptions tells what is known about an upload. The zero value works:
// everything is guessed from the content.
type OpenOptions struct {
	// Name is the file name as it was uploaded. It never decides what the
	// file is; it helps where the content leaves a choice.
	Name string
	// Sheet is the sheet to read. Default: the first visible one.
	Sheet string
	// HeaderRow is the row of the headings as the person sees it, from 1.
	// Default 0: the first row of the table, or of the list, among 20 rows.
	// Comments, titles and rows of numbers above it are left out with a warning.
	HeaderRow int
	// Limits bounds what the file may hold.
	Limits Limits
	// Delimiter separates the cells of a text file; one of the characters of
	// ASCII. Default 0: comma, semicolon, tab or bar, by the content.
	Delimiter rune
	// Encoding is the character set of a text file by its WHATWG name, such
	// as "windows-1251". A byte order mark in the file comes first. Default:
	// Unicode, else a guess that is safe.
	Encoding string
}

// Open looks at an upload of size bytes and makes its rows ready to be read.
// It reads the list of contents, the styles and the first rows, not the whole
// file, unless it has to be unpacked. Rows in JSON have no headings: they are
// not read as a table. It fails with a *Problem if the file cannot be imported,
// also when it has no data row; with another error if r cannot be read. r must
// stay open until the Source is closed.
func Open(r io.ReaderAt, size int64, opt OpenOptions) (*Source, error) {
	c, rows, err := recognize(r, size, opt, "")
	if err == nil && rows != nil {
		err = either(unsupported("rows in JSON, which are no table"), c.close())
	}
	if err != nil {
		return nil, err
	}
	return openTable(c, opt)
}

// openTable makes the rows of a table ready to be read. It takes the content over.
func openTable(c *content, opt OpenOptions) (*Source, error) {
	s, err := readTable(c, opt)
	if err != nil {
		return nil, either(err, c.close())
	}
	s.content = c
	return s, nil
}

// recognize unpacks an upload and finds what it holds: rows in JSON, which own the
// content, or a table, for which rows is nil. format is what is known of rows in JSON,
// empty for nothing.
func recognize(r io.ReaderAt, size int64, opt OpenOptions, format string) (*content, *jsonFile, error) {
	c, err := openContent(&upload{r: r, size: size}, opt.Name, opt.Limits.withDefaults())
	if err != nil {
		return nil, nil, err
	}
	rows, err := readJSON(c, opt, format)
	if err == nil && rows == nil && format != "" {
		err = damaged("", "it holds no rows in JSON")
	}
	if err != nil {
		return nil, nil, either(err, c.close())
	}
	return c, rows, nil
}

// readTable is openTable for a content that stays the caller's.
func readTable(c *content, opt OpenOptions) (*Source, error) {
	s := &Source{up: c.up, limit: opt.Limits.withDefaults()}
	err := s.open(c, opt)
	if err == nil {
		err = s.begin(opt.HeaderRow)
	}
	if err != nil {
		err = s.offerOther(err)
		_ = s.Close() // the first error tells more
		return nil, placed(s.up.blame(err), s.Sheet, 0)
	}
	return s, nil
}

// open finds the rows of a table, but not yet which of them is the header.
func (s *Source) open(c *content, opt OpenOptions) error {
	opt.Name = c.name
	if c.book != nil {
		c.book.left = s.limit.Unzipped
		return s.openXLSX(c.book, opt)
	}
	if opt.Sheet != "" {
		s.warn("The file is no workbook: the option sheet means nothing for it.")
	}
	return s.openText(c.up, opt)
}

// begin finds the header and the first data row.
func (s *Source) begin(headerRow int) error {
	if err := s.findHeader(headerRow); err != nil {
		return err
	}
	if s.Delimiter != 0 && isResult(s.Header) {
		for i, h := range s.Header {
			s.Header[i] = unspelt(h, s.Encoding)
		}
	}
	return s.lookAhead()
}

func (s *Source) openXLSX(c *container, opt OpenOptions) error {
	s.Format = "xlsx"
	if opt.Encoding != "" || opt.Delimiter != 0 {
		s.warn("The file is a workbook: the options encoding and delimiter mean nothing for it.")
	}
	if err := c.hasDoctype(); err != nil {
		return err
	}
	book, err := openWorkbook(c)
	if err != nil {
		return err
	}
	info, err := book.pick(opt.Sheet)
	if err != nil {
		return err
	}
	s.Sheet, s.Sheets = info.name, book.visible()
	rows, err := openSheet(book, info, s.warn)
	if err != nil {
		return err
	}
	s.rows, s.book = rows, book
	if len(s.Sheets) > 1 {
		s.warn(fmt.Sprintf("The workbook has %d sheets: only %q is imported.",
			len(s.Sheets), info.name))
	}
	return nil
}

// offerOther names another sheet with data when the chosen one is empty.
func (s *Source) offerOther(err error) error {
	var p *Problem
	if !errors.As(err, &p) || p.Code != CodeEmptyFile || s.book == nil {
		return err
	}
	for _, info := range s.book.sheets[:min(len(s.book.sheets), 50)] {
		if !info.cells || info.hidden || info.name == s.Sheet {
			continue
		}
		full, err := holdsRows(s.book, info)
		if err != nil {
			return err
		}
		if full {
			return problemf(CodeEmptySheet, "The sheet %q is empty, but the sheet %q holds data. "+
				"Choose that sheet, or move it to the front.", s.Sheet, info.name)
		}
	}
	return err
}

// holdsRows tells whether a sheet has a row that is not blank.
func holdsRows(book *workbook, info sheetInfo) (bool, error) {
	rows, err := openSheet(book, info, func(string) {})
	if err != nil {
		return false, err
	}
	probe := Source{up: book.box.up, rows: rows}
	_, err = probe.read()
	if err == io.EOF {
		return false, nil
	}
	return err == nil, err
}
