package importers

import (
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/table"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/worker"
)

// unusable are codes of cells that only a reader of files finds. A row keeps
// them as long as their cells stay.
var unusable = []string{
	CodeFormulaError, CodeFormulaNotCalculated, CodeDamagedCell, CodeInvalidCharacter,
	CodeInvalidEncoding, CodeTooLong,
}

// correct compares a row of the file with that of the task, and makes of both
// the row as it is to be. differs is false if they mean the same, or if the
// person has emptied the row instead of deleting it.
func (c *corrector) correct(
	maker *rowMaker, e *events.Event, row correctedRow,
) (fix Correction, differs bool, err error) {
	params, err := c.paramsOf(e)
	if err != nil || row.blank() {
		return fix, false, err
	}
	fix = Correction{Event: e, Before: map[string]*string{}, After: map[string]*string{}}
	kept := keptFaults(e)
	r := Row{Number: e.Row}
	for i := range maker.columns {
		name := maker.name(i)
		cell, given := row.cells[name]
		cell = maker.local(i, cell)
		if !given || c.same(maker, i, params[name], cell) {
			cell = Cell{Text: params[name], Code: kept[name].Code, Detail: kept[name].Message, Args: kept[name].Args}
		} else {
			cell.Text = c.meant(cell.Text)
			fix.note(name, params[name], cell.Text)
		}
		r.Cells = append(r.Cells, cell)
	}
	r.Cells = append(r.Cells, c.beyond(&fix, params, row)...)
	if len(fix.After) == 0 {
		return fix, false, nil
	}
	fix.Draft = maker.draft(r)
	keepTwin(e, &fix.Draft)
	return fix, true, nil
}

// keepTwin keeps the fault of a row whose key another row has, as long as that
// is its key.
func keepTwin(e *events.Event, d *events.Draft) {
	if d.Key != e.Key || e.Attempt > 0 || e.Faultless() {
		return
	}
	for _, f := range e.Faults() {
		if f.Code != CodeDuplicateKey {
			continue
		}
		all := []events.Field{f}
		if d.Failure != nil {
			all = append(all, d.Failure.Fields...)
		}
		d.Failure = worker.Invalid(all)
	}
}

// beyond are the cells right of the last heading: those of the file, if it can
// have any.
func (c *corrector) beyond(fix *Correction, params map[string]string, row correctedRow) (out []Cell) {
	before, after := extras(params, len(c.columns)), row.extra
	if !row.table {
		for _, text := range before {
			out = append(out, Cell{Text: text})
		}
		return out
	}
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
			is = Cell{Text: was}
		} else {
			is.Text = c.meant(is.Text)
			fix.note(extra(len(c.columns)+i), was, is.Text)
		}
		out = append(out, is)
	}
	for len(out) > 0 && out[len(out)-1] == (Cell{}) {
		out = out[:len(out)-1]
	}
	return out
}

func (f *Correction) note(name, before, after string) {
	value := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	f.Before[name], f.After[name] = value(before), value(after)
}

// keptFaults are the faults of an event that cannot be found again in its
// texts, by column. One that a person has repaired has none.
func keptFaults(e *events.Event) map[string]events.Field {
	var out map[string]events.Field
	if e.Faultless() {
		return nil
	}
	for _, f := range e.Faults() {
		if slices.Contains(unusable, f.Code) && f.Column != "" {
			if out == nil {
				out = map[string]events.Field{}
			}
			out[f.Column] = f
		}
	}
	return out
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
	c.Plain = false
	return c
}

// meant is the text of a cell without what a result does to texts.
func (c *corrector) meant(text string) string {
	if enc := c.Task.FileEncoding; enc != "" && !strings.HasPrefix(enc, "utf-") {
		text = unref(text)
	}
	return table.Unguard(text)
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
