package drafts

import (
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// Local returns a cell with its value in the form that params contain. A numeric cell gets the notation
// of its column's locale. In a text cell, a decimal point replaces the decimal comma, if DecimalBy has
// set one.
func (m *Maker) Local(column int, c tabular.Cell) tabular.Cell {
	if f := m.FieldOf(column); f != nil && c.Plain {
		c.Text = f.Local(c.Text)
	}
	if !c.Plain && slices.Contains(m.commas, column) && rowschema.WithComma(c.Text) { // other numbers of a result have decimal points
		c.Text = rowschema.Pointed(c.Text)
	}
	c.Plain = false
	return c
}

// Unclear returns a fault if the point in the number of a cell may be a decimal point or a separator of
// thousands. It returns nil for other cells, and if DecimalBy has set no decimal comma. The cell `c`
// comes from a result file; Local must not have changed it before.
func (m *Maker) Unclear(column int, c tabular.Cell) *events.Field {
	if c.Plain || !slices.Contains(m.commas, column) {
		return nil
	}
	return m.FieldOf(column).Unclear(c.Text)
}

// FieldOf returns the field that the column with the given index fills, or nil.
func (m *Maker) FieldOf(column int) *rowschema.Field {
	name := m.Columns[column].Field
	for i := range m.kind.Schema.Fields {
		if f := &m.kind.Schema.Fields[i]; name != "" && f.Name == name {
			return f
		}
	}
	return nil
}
