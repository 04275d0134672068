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

// Workbook is a writer of all parts of a workbook except the rows. It gets these parts from excelize.
// The caller writes the rows directly into Box, the zip container.
type Workbook struct {
	Box    *zip.Writer
	Marked bool // some cells are marked

	// Sheet adds sheet n, counted from 1, without its rows. Begin and End call it again for every sheet
	// that was started so far.
	Sheet func(f *excelize.File, n int) error

	sheets int // number of started sheets
}

// Begin starts a sheet. It returns the name of its file in the container, and the text before and
// after the rows. It leaves out the size of the sheet, which is unknown before the rows are
// written.
func (w *Workbook) Begin() (name string, before, behind []byte, err error) {
	w.sheets++
	parts, err := w.parts()
	if err != nil {
		return "", nil, nil, err
	}
	name = fmt.Sprintf("%s%d.xml", sheetPrefix, w.sheets)
	f, err := parts.Open(name)
	if err != nil {
		return "", nil, nil, fmt.Errorf("table: workbook: %w", err)
	}
	defer f.Close()
	all, err := io.ReadAll(f)
	if err != nil {
		return "", nil, nil, err
	}
	at := sheetRows.FindIndex(all)
	if at == nil {
		return "", nil, nil, fmt.Errorf("table: %s has no element for the rows", name)
	}
	before = append(sheetSize.ReplaceAll(all[:at[0]], nil), "<sheetData>"...)
	return name, before, append([]byte("</sheetData>"), all[at[1]:]...), nil
}

// End adds all parts except the sheets to the container, and closes it.
func (w *Workbook) End() error {
	parts, err := w.parts()
	if err != nil {
		return err
	}
	for _, f := range parts.File {
		if strings.HasPrefix(f.Name, sheetPrefix) {
			continue
		}
		if err := w.Box.Copy(f); err != nil {
			return err
		}
	}
	return w.Box.Close()
}

// parts returns the zip container of the workbook without its rows, as excelize writes it.
func (w *Workbook) parts() (_ *zip.Reader, err error) {
	f := excelize.NewFile()
	defer func() { err = errors.Join(err, f.Close()) }()
	for i, style := range styles(w.Marked) {
		if id, err := f.NewStyle(&style); err != nil || id != i+1 {
			return nil, fmt.Errorf("table: style %d of a workbook is %d: %w", i+1, id, err)
		}
	}
	for n := range w.sheets {
		if err := w.Sheet(f, n+1); err != nil {
			return nil, err
		}
	}
	SetCreator(f)
	buf, err := f.WriteToBuffer()
	if err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
}

// sheetPrefix is the start of the name of each sheet's file in the zip container.
const sheetPrefix = "xl/worksheets/sheet"

var (
	sheetRows = regexp.MustCompile(`<sheetData>\s*</sheetData>|<sheetData\s*/>`)
	sheetSize = regexp.MustCompile(`<dimension [^>]*>(</dimension>)?`)
)

// styles returns the cell styles of a workbook in the order of their numbers.
func styles(marked bool) []excelize.Style {
	forms := []string{"yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"}
	for n := range MaxDecimals + 1 {
		forms = append(forms, strings.TrimSuffix("0."+strings.Repeat("0", n), "."))
	}
	list := []excelize.Style{{Font: HeadFont()}}
	for i := range forms {
		list = append(list, excelize.Style{CustomNumFmt: &forms[i]})
	}
	if !marked {
		return list
	}
	red := excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"FDE2E1"}}
	for _, style := range append([]excelize.Style{{}}, list...) {
		style.Fill = red
		list = append(list, style)
	}
	return list
}

// AddSheet adds sheet n, counted from 1, with frozen headings. The argument `widths` holds the
// widths of the columns, in characters.
func AddSheet(f *excelize.File, n int, name string, widths []float64) (err error) {
	if n == 1 {
		err = f.SetSheetName("Sheet1", name)
	} else {
		_, err = f.NewSheet(name)
	}
	if err != nil {
		return err
	}
	for i, width := range widths {
		column, err := excelize.ColumnNumberToName(i + 1)
		if err == nil {
			err = f.SetColWidth(name, column, column, width)
		}
		if err != nil {
			return err
		}
	}
	return f.SetPanes(name, &excelize.Panes{
		Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft",
	})
}

// core is the part with the properties of a workbook. excelize would write it without the usual XML
// prefixes, but exceljs requires them.
const core = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ` +
	`xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" ` +
	`xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:creator>Rollcall</dc:creator></cp:coreProperties>`

// SetCreator sets Rollcall as the creator of a workbook, in a form that all readers accept.
func SetCreator(f *excelize.File) { f.Pkg.Store("docProps/core.xml", []byte(core)) }

// HeadFont returns the font of headings.
func HeadFont() *excelize.Font { return &excelize.Font{Bold: true, Family: "Calibri", Size: 11} }
