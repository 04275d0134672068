package exporters

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"hash/crc32"
	"io"

	"github.com/xuri/excelize/v2"

	"github.com/rollcall-dev/rollcall/internal/table"
)

// book is a sink that writes a workbook. When a sheet is full, further rows go to a new sheet.
type book struct {
	around  table.Workbook
	spec    table.Spec
	columns []table.Column
	name    string // name of the sheets
	most    uint32 // maximum number of rows of a sheet, with the headings
	head    []byte // row of the headings
	sheet   *entry
	tail    []byte // bytes after the rows of the sheet
	rows    uint32 // rows in the sheet
}

func newBook(w io.Writer, f form, head []byte, most uint32) (*book, error) {
	b := &book{spec: f.spec, columns: f.columns, name: f.base, most: most, head: head}
	b.around = table.Workbook{Box: zip.NewWriter(w), Sheet: b.addSheet}
	return b, b.open()
}

func (b *book) open() error {
	name, before, behind, err := b.around.Begin()
	if err != nil {
		return err
	}
	if b.sheet, err = newEntry(b.around.Box, name, b.spec); err != nil {
		return err
	}
	b.tail, b.rows = behind, 1
	return errors.Join(b.sheet.addText(before), b.sheet.addText(b.head))
}

func (b *book) frame(f frame, body io.Reader) error {
	if f.rows <= b.most-b.rows {
		b.rows += f.rows
		return b.sheet.frame(f, body)
	}
	rows, err := unpack(f, body)
	if err != nil {
		return err
	}
	for len(rows) > 0 {
		if b.rows == b.most {
			if err := errors.Join(b.close(), b.open()); err != nil {
				return err
			}
		}
		fit, n := firstRows(rows, b.most-b.rows)
		if err := b.sheet.addText(rows[:fit]); err != nil {
			return err
		}
		rows, b.rows = rows[fit:], b.rows+n
	}
	return nil
}

// unpack returns the uncompressed rows of a frame.
func unpack(f frame, body io.Reader) ([]byte, error) {
	var packed bytes.Buffer
	if err := copyFrame(&packed, body, f); err != nil {
		return nil, err
	}
	packed.Write([]byte{3, 0}) // the end of the stream
	rows, err := io.ReadAll(flate.NewReader(&packed))
	if err == nil && crc32.ChecksumIEEE(rows) != f.crc {
		err = errDamaged
	}
	return rows, err
}

// firstRows returns the length in bytes and the number of the first rows, at most `most` rows.
func firstRows(rows []byte, most uint32) (length int, n uint32) {
	const end = "</row>"
	for n < most && length < len(rows) {
		i := bytes.Index(rows[length:], []byte(end))
		if i < 0 {
			return len(rows), n + 1
		}
		length, n = length+i+len(end), n+1
	}
	return length, n
}

func (b *book) close() error { return errors.Join(b.sheet.addText(b.tail), b.sheet.end()) }

func (b *book) end() error {
	if err := b.close(); err != nil {
		return err
	}
	return b.around.End()
}

// width returns the width of a column in characters. It depends on the type of the values and the length of
// the name.
func width(c table.Column) float64 {
	w := map[string]float64{"text": 28, "date": 20, "boolean": 10}[c.Type]
	return min(max(w, 14, float64(len([]rune(c.Name)))+3), 60)
}

func (b *book) addSheet(f *excelize.File, n int) error {
	var widths []float64
	for _, c := range b.columns {
		widths = append(widths, width(c))
	}
	return table.AddSheet(f, n, table.SheetName(b.name, "Export", n), widths)
}
