package corrections

import (
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/drafts"
	"github.com/rollcall-dev/rollcall/importers/resultfile"
	"github.com/rollcall-dev/rollcall/importers/results"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// correct compares a row of the file with the row of the task, and returns the changed cells. The result
// `differs` reports whether a value has changed. If the user has cleared all cells of a row, the row counts
// as unchanged.
func (c *corrector) correct(
	maker *drafts.Maker, e *events.Event, row correctedRow,
) (fix Correction, differs bool, err error) {
	params, err := c.ParamsOf(e)
	if err != nil || row.blank() {
		return fix, false, err
	}
	fix = Correction{Event: e, Cells: map[string]*string{}}
	for i := range maker.Columns {
		name := maker.Name(i)
		cell, given := row.cells[name]
		unclear := maker.Unclear(i, cell)
		clear := !cell.Plain && unclear == nil && rowschema.WithComma(cell.Text)
		cell = maker.Local(i, cell)
		if !given || c.same(maker, i, params[name], cell) && !(clear && hasUnclear(e, name)) {
			continue
		}
		cell.Text = c.restored(cell.Text)
		fix.note(name, cell.Text)
		if cell.Code != "" {
			fix.Found = append(fix.Found, maker.Fault(i, cell))
		} else if unclear != nil {
			fix.Found = append(fix.Found, *unclear)
		}
	}
	c.compareExtras(&fix, maker, params, row)
	return fix, len(fix.Cells) > 0, nil
}

// hasUnclear reports whether a row has the fault of an unclear number in the column. In such a row, the
// same number with a decimal comma is a correction.
func hasUnclear(e *events.Event, column string) bool {
	return slices.ContainsFunc(e.Faults(), func(f events.Field) bool {
		return f.Code == rowschema.CodeUnclearNumber && f.Column == column
	})
}

// compareExtras compares the cells right of the last heading with those of the task, and adds the changed
// cells to fix. If the file has text in such cells, it also adds a fault. A row of JSON has no such
// cells, and is skipped.
func (c *corrector) compareExtras(fix *Correction, maker *drafts.Maker, params map[string]string, row correctedRow) {
	before, after := results.Extras(params, len(c.Columns)), row.extra
	if !row.table {
		return
	}
	var width int
	for i := range max(len(before), len(after)) {
		var was string
		var is tabular.Cell
		if i < len(before) {
			was = before[i]
		}
		if i < len(after) {
			is = after[i]
		}
		name, text := drafts.ExtraName(len(c.Columns)+i), c.restored(is.Text)
		if sameText(was, is.Text) || was == text || rowschema.Masked(text) {
			is.Text = was
		} else {
			is.Text = text
			fix.note(name, is.Text)
		}
		if is.Text != "" {
			width = i + 1
		}
	}
	if width > 0 {
		fix.Found = append(fix.Found, drafts.TooManyCells(len(maker.Columns)+width, len(maker.Columns)))
	}
}

func (f *Correction) note(name, text string) {
	f.Cells[name] = nil
	if text != "" {
		f.Cells[name] = &text
	}
}

// same reports whether a cell has the same value in the task and in the file. The argument `before`
// is the text of the task, and the argument `after` is the cell of the file.
func (c *corrector) same(maker *drafts.Maker, column int, before string, after tabular.Cell) bool {
	if sameText(before, after.Text) || sameText(before, c.restored(after.Text)) {
		return true
	}
	// A masked value is not a correction. Results for viewers contain masked values, and so do results of a
	// kind that no process registers.
	if rowschema.Masked(c.restored(after.Text)) {
		return true
	}
	if after.Code != "" {
		return false
	}
	f := maker.FieldOf(column)
	return f != nil && f.Same(before, after.Text) || spreadsheetRewrote(before, after.Text)
}

// restored returns the text of a cell without the escapes that result files add.
func (c *corrector) restored(text string) string {
	return resultfile.Restore(text, c.Task.FileEncoding)
}
