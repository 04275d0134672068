package render

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/view"
)

// CheckedRow is one of the first rows of the file, with the errors of the row.
type CheckedRow struct {
	Row   int
	Cells []CheckedCell
	Notes []string
}

// CheckedCell is a cell of a row, with its error.
type CheckedCell struct {
	Text, Message string
	Unusual       bool // the text is an unusual value of its column
}

// CheckedCause is a group of invalid rows with the same code and column.
type CheckedCause struct {
	importers.PreviewGroup
	Label, Title string // heading of the column ("" for the row as a whole), and title of the code
	Mend         string // sentence that one button can correct such values; "" if more than their layout is wrong
}

// checkedRows is the greatest number of rows of the file that the page shows.
const checkedRows = 20

// CheckedCauses returns the groups of invalid rows of a preview.
func CheckedCauses(in locale.Printer, kind jobs.Kind, preview *view.Preview) (out []CheckedCause) {
	for _, g := range preview.Groups {
		one := CheckedCause{PreviewGroup: g, Label: textutil.Deref(g.Column), Title: view.TitleOf(kind, string(in), g.Code)}
		if s := review.Suggest(kind, &tasks.Task{}, one.Label, g.Value, nil); s != nil && (s.Why == review.Layout || s.Why == review.Comma) {
			one.Mend = in.Text("outlook.mend", "from", Shown(g.Value), "to", Shown(s.With))
		}
		for _, col := range preview.Columns {
			if col.Field == one.Label && one.Label != "" {
				one.Label = col.Header
			}
		}
		out = append(out, one)
	}
	return out
}

// CheckedRows returns the first rows of a preview, with cells in the order of the file.
func CheckedRows(preview *view.Preview) (out []CheckedRow) {
	for _, row := range preview.Rows[:min(len(preview.Rows), checkedRows)] {
		cells := map[string]string{}
		_ = json.Unmarshal(row.Cells, &cells) // a row with invalid JSON has no cells
		one := CheckedRow{Row: row.Row}
		at := map[string]int{}
		for _, col := range preview.Columns {
			name := col.Field
			if name == "" {
				name = col.Header
			}
			at[name] = len(one.Cells)
			one.Cells = append(one.Cells, CheckedCell{Text: cells[name], Unusual: unusual(preview, col.Field, cells[name])})
		}
		for _, f := range row.Errors {
			if i, ok := at[f.Column]; ok {
				one.Cells[i].Message = f.Message
			}
			one.Notes = append(one.Notes, f.Message)
		}
		out = append(out, one)
	}
	return out
}

// unusual reports whether a preview lists a text as an unusual value of a field.
func unusual(preview *view.Preview, field, text string) bool {
	return slices.ContainsFunc(preview.Unusual, func(u importers.Unusual) bool {
		return u.Column == field && slices.Contains(u.Values, strings.TrimSpace(text))
	})
}
