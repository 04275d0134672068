package corrections

import (
	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/drafts"
	"github.com/rollcall-dev/rollcall/importers/resultfile"
	"github.com/rollcall-dev/rollcall/importers/results"
	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// correct compares a row of the file with the row of the task, and returns the cells that differ.
// differs is false if both have the same values, or if the person has emptied the row instead of
// deleting it.
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
		cell = maker.Local(i, cell)
		if !given || c.same(maker, i, params[name], cell) {
			continue
		}
		cell.Text = c.restored(cell.Text)
		fix.note(name, cell.Text)
		if cell.Code != "" {
			fix.Found = append(fix.Found, maker.Fault(i, cell))
		}
	}
	c.compareExtras(&fix, maker, params, row)
	return fix, len(fix.Cells) > 0, nil
}

// compareExtras compares the cells right of the last heading, if the file can have any.
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
		if sameText(was, is.Text) || was == c.restored(is.Text) {
			is.Text = was
		} else {
			is.Text = c.restored(is.Text)
			fix.note(drafts.ExtraName(len(c.Columns)+i), is.Text)
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

// same reports whether a cell of the file has the same value as the row.
func (c *corrector) same(maker *drafts.Maker, column int, was string, is tabular.Cell) bool {
	if sameText(was, is.Text) || sameText(was, c.restored(is.Text)) {
		return true
	}
	if is.Code != "" {
		return false
	}
	f := maker.FieldOf(column)
	return f != nil && f.Same(was, is.Text) || spreadsheetRewrote(was, is.Text)
}

// restored returns the text of a cell without the escapes that a result adds.
func (c *corrector) restored(text string) string {
	return resultfile.Restore(text, c.Task.FileEncoding)
}
