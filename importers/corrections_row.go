package importers

import (
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/worker"
)

// correct compares a row of the file with that of the task, and returns the cells that
// differ. differs is false if both mean the same, or if the person has emptied the row
// instead of deleting it.
func (c *corrector) correct(
	maker *rowMaker, e *events.Event, row correctedRow,
) (fix Correction, differs bool, err error) {
	params, err := c.paramsOf(e)
	if err != nil || row.blank() {
		return fix, false, err
	}
	fix = Correction{Event: e, Cells: map[string]*string{}}
	for i := range maker.columns {
		name := maker.name(i)
		cell, given := row.cells[name]
		cell = maker.local(i, cell)
		if !given || c.same(maker, i, params[name], cell) {
			continue
		}
		cell.Text = c.meant(cell.Text)
		fix.note(name, cell.Text)
		if cell.Code != "" {
			fix.Found = append(fix.Found, maker.fault(i, cell))
		}
	}
	c.beyond(&fix, maker, params, row)
	return fix, len(fix.Cells) > 0, nil
}

// beyond compares the cells right of the last heading, if the file can have any.
func (c *corrector) beyond(fix *Correction, maker *rowMaker, params map[string]string, row correctedRow) {
	before, after := extras(params, len(c.columns)), row.extra
	if !row.table {
		return
	}
	var width int
	for i := range max(len(before), len(after)) {
		var was string
		var is Cell
		if i < len(before) {
			was = before[i]
		}
		if i < len(after) {
			is = after[i]
		}
		if alike(was, is.Text) || was == c.meant(is.Text) {
			is.Text = was
		} else {
			is.Text = c.meant(is.Text)
			fix.note(extra(len(c.columns)+i), is.Text)
		}
		if is.Text != "" {
			width = i + 1
		}
	}
	if width > 0 {
		fix.Found = append(fix.Found, tooManyCells(len(maker.columns)+width, len(maker.columns)))
	}
}

func (f *Correction) note(name, text string) {
	f.Cells[name] = nil
	if text != "" {
		f.Cells[name] = &text
	}
}

// same tells whether a cell of the file means what the row holds already.
func (c *corrector) same(maker *rowMaker, column int, was string, is Cell) bool {
	if alike(was, is.Text) || alike(was, c.meant(is.Text)) {
		return true
	}
	if is.Code != "" {
		return false
	}
	f := maker.fieldOf(column)
	return f != nil && f.Same(was, is.Text) || retyped(was, is.Text)
}

// local is a cell whose number is written as its column has it.
func (m *rowMaker) local(column int, c Cell) Cell {
	if f := m.fieldOf(column); f != nil && c.Plain {
		c.Text = f.Local(c.Text)
	}
	if !c.Plain && slices.Contains(m.commas, column) && commaOnly.MatchString(c.Text) { // a result has points
		c.Text = pointed(c.Text)
	}
	c.Plain = false
	return c
}

// meant is the text of a cell without what a result does to texts.
func (c *corrector) meant(text string) string {
	return unspelt(text, c.Task.FileEncoding)
}

// fieldOf is the field that a column feeds; nil if none.
func (m *rowMaker) fieldOf(column int) *worker.Field {
	name := m.columns[column].Field
	for i := range m.kind.Schema.Fields {
		if f := &m.kind.Schema.Fields[i]; name != "" && f.Name == name {
			return f
		}
	}
	return nil
}
