package table

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/xuri/excelize/v2"
)

// Book is a workbook without its rows. What stands around the rows is made by
// excelize; whoever has the rows writes them straight into the container.
type Book struct{ parts *zip.Reader }

// NewBook makes a workbook of styles, which get the numbers from 1 in their order,
// and of the sheets that add gives it.
func NewBook(styles []excelize.Style, add func(*excelize.File) error) (_ *Book, err error) {
	f := excelize.NewFile()
	defer func() { err = errors.Join(err, f.Close()) }()
	for i := range styles {
		if id, err := f.NewStyle(&styles[i]); err != nil || id != i+1 {
			return nil, fmt.Errorf("table: style %d of a workbook is %d: %w", i+1, id, err)
		}
	}
	if err := add(f); err != nil {
		return nil, err
	}
	if err := f.SetDocProps(&excelize.DocProperties{Creator: "Rollcall"}); err != nil {
		return nil, err
	}
	buf, err := f.WriteToBuffer()
	if err != nil {
		return nil, err
	}
	parts, err := zip.NewReader(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	return &Book{parts}, err
}

// sheets is how the names of sheets begin in a container.
const sheets = "xl/worksheets/sheet"

// SheetPart is the name in the container of the sheet n, counted from 1.
func SheetPart(n int) string { return fmt.Sprintf("%s%d.xml", sheets, n) }

var (
	sheetRows = regexp.MustCompile(`<sheetData>\s*</sheetData>|<sheetData\s*/>`)
	sheetSize = regexp.MustCompile(`<dimension [^>]*>(</dimension>)?`)
)

// Around is what stands before and behind the rows of the sheet n, counted from 1.
// It tells no size of the sheet: nobody knows it before the rows are written.
func (b *Book) Around(n int) (before, behind []byte, err error) {
	f, err := b.parts.Open(SheetPart(n))
	if err != nil {
		return nil, nil, fmt.Errorf("table: workbook: %w", err)
	}
	defer f.Close()
	all, err := io.ReadAll(f)
	if err != nil {
		return nil, nil, err
	}
	at := sheetRows.FindIndex(all)
	if at == nil {
		return nil, nil, fmt.Errorf("table: no place for the rows in %s", SheetPart(n))
	}
	before = append(sheetSize.ReplaceAll(all[:at[0]], nil), "<sheetData>"...)
	return before, append([]byte("</sheetData>"), all[at[1]:]...), nil
}

// End adds everything but the sheets to a container, and ends it.
func (b *Book) End(box *zip.Writer) error {
	for _, f := range b.parts.File {
		if strings.HasPrefix(f.Name, sheets) {
			continue
		}
		if err := box.Copy(f); err != nil {
			return err
		}
	}
	return box.Close()
}

// AddSheet adds the sheet n, counted from 1, whose headings stay in sight.
func AddSheet(f *excelize.File, n int, name string) (err error) {
	if n == 1 {
		err = f.SetSheetName("Sheet1", name)
	} else {
		_, err = f.NewSheet(name)
	}
	if err != nil {
		return err
	}
	return f.SetPanes(name, &excelize.Panes{
		Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft",
	})
}

// Formats of cells, as Excel writes them.
const (
	DateFormat = "yyyy-mm-dd"
	TimeFormat = "yyyy-mm-dd hh:mm:ss"
)

// NumberFormat shows n digits behind the point.
func NumberFormat(n int) string {
	return strings.TrimSuffix("0."+strings.Repeat("0", n), ".")
}

// HeadFont is the font of headings.
func HeadFont() *excelize.Font { return &excelize.Font{Bold: true, Family: "Calibri", Size: 11} }
