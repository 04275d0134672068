package uploads

import (
	"strconv"

	"github.com/xuri/excelize/v2"
)

// Writers holds the two ways in which excelize writes rows: with shared strings, and with inline strings.
var Writers = map[string]func(f *excelize.File, head []any, rows [][]any) error{
	"shared": func(f *excelize.File, head []any, rows [][]any) error {
		for i := range rows {
			if err := f.SetSheetRow("Sheet1", "A"+strconv.Itoa(i+2), &rows[i]); err != nil {
				return err
			}
		}
		return f.SetSheetRow("Sheet1", "A1", &head)
	},
	"inline": func(f *excelize.File, head []any, rows [][]any) error {
		w, err := f.NewStreamWriter("Sheet1")
		if err != nil {
			return err
		}
		if err := w.SetRow("A1", head); err != nil {
			return err
		}
		for i, row := range rows {
			if err := w.SetRow("A"+strconv.Itoa(i+2), row); err != nil {
				return err
			}
		}
		return w.Flush()
	},
}
