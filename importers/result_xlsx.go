package importers

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/rollcall-dev/rollcall/events"
)

// xlsxResult writes rows to a workbook, sheet after sheet.
type xlsxResult struct {
	Result
	file    *excelize.File
	sheet   *excelize.StreamWriter
	sheets  int
	row     int // the last one written
	numeric []bool
	bold    int
	red     int
}

// WriteXLSX writes the result as a workbook. Memory does not grow with the
// rows: excelize keeps them in a temporary file, which is removed at the end.
// Columns that hold numbers stay numbers; all else is text, never a formula.
func (r Result) WriteXLSX(w io.Writer, numeric func(field string) bool) (err error) {
	x := &xlsxResult{Result: r, file: excelize.NewFile()}
	defer func() { err = errors.Join(err, x.file.Close()) }()
	for _, c := range r.Task.Columns {
		x.numeric = append(x.numeric, numeric(c.Field))
	}
	if err := x.styles(); err != nil {
		return err
	}
	if err := x.open(); err != nil {
		return err
	}
	for e, err := range r.Rows {
		if err != nil {
			return err
		}
		if err := x.add(e); err != nil {
			return err
		}
	}
	if err := x.sheet.Flush(); err != nil {
		return err
	}
	return x.file.Write(w)
}

func (x *xlsxResult) styles() (err error) {
	x.bold, err = x.file.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return err
	}
	x.red, err = x.file.NewStyle(&excelize.Style{
		Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"FDE2E1"}},
	})
	return err
}

// open begins a sheet with the headings: the first, or one more when a sheet
// is full.
func (x *xlsxResult) open() (err error) {
	if x.sheet != nil {
		if err := x.sheet.Flush(); err != nil {
			return err
		}
	}
	x.sheets++
	name := x.name()
	if x.sheets == 1 {
		err = x.file.SetSheetName("Sheet1", name)
	} else {
		_, err = x.file.NewSheet(name)
	}
	if err != nil {
		return err
	}
	if x.sheet, err = x.file.NewStreamWriter(name); err != nil {
		return err
	}
	panes := &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}
	if err := x.sheet.SetPanes(panes); err != nil {
		return err
	}
	if err := x.sheet.SetColWidth(1, len(x.headings()), 18); err != nil {
		return err
	}
	var cells []any
	for _, h := range x.headings() {
		cells = append(cells, excelize.Cell{Value: h, StyleID: x.bold})
	}
	x.row = 1
	return x.sheet.SetRow("A1", cells)
}

func (x *xlsxResult) name() string {
	name := sheetName(x.Task.FileSheet)
	if x.sheets == 1 {
		return name
	}
	suffix := fmt.Sprintf(" (%d)", x.sheets)
	r := []rune(name)
	return string(r[:min(len(r), excelize.MaxSheetNameLength-len(suffix))]) + suffix
}

// sheetName is a name that Excel takes: no []:*?/\, no quote at an end, not too
// long.
func sheetName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`[]:*?/\`, r) {
			return '_'
		}
		return r
	}, s)
	r := []rune(strings.Trim(s, "' "))
	s = strings.Trim(string(r[:min(len(r), excelize.MaxSheetNameLength)]), "' ")
	return cmp.Or(s, "Result")
}

func (x *xlsxResult) add(e *events.Event) error {
	if x.row == excelize.TotalRows {
		if err := x.open(); err != nil {
			return err
		}
	}
	texts, err := x.cells(e)
	if err != nil {
		return err
	}
	cells := make([]any, len(texts))
	for i, t := range texts {
		cells[i] = x.cell(e, i, t)
	}
	x.row++
	return x.sheet.SetRow("A"+strconv.Itoa(x.row), cells)
}

// cell is one value; the one at fault stands on red.
func (x *xlsxResult) cell(e *events.Event, i int, t string) any {
	var v any = t
	isNumber := i == len(x.Task.Columns) || i < len(x.numeric) && x.numeric[i]
	if f, err := strconv.ParseFloat(t, 64); err == nil && isNumber && number(t) {
		v = f
	}
	if t == "" {
		v = nil
	}
	if i < len(x.Task.Columns) && e.Status.Bad() && e.Col != nil &&
		*e.Col == cmp.Or(x.Task.Columns[i].Field, x.Task.Columns[i].Header) {
		return excelize.Cell{Value: v, StyleID: x.red}
	}
	return v
}
