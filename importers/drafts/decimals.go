package drafts

import (
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/tasks"
)

// NumberColumns returns the indexes of the number columns for which the kind sets no locale.
func NumberColumns(kind jobs.Kind, columns []tasks.Column) (places []int) {
	for i, c := range columns {
		for j := range kind.Schema.Fields {
			if f := &kind.Schema.Fields[j]; c.Field != "" && f.Name == c.Field && f.TakesDecimal() {
				places = append(places, i)
			}
		}
	}
	return places
}

// DecimalBy sets the decimal sign of the text cells in NumberColumns. For ",", the Maker replaces the
// decimal commas in these cells by decimal points. For any other sign, it changes no number.
func (m *Maker) DecimalBy(sign string) *Maker {
	m.commas = nil
	if sign == "," {
		m.commas = NumberColumns(m.kind, m.Columns)
	}
	return m
}

// point replaces the decimal commas in the numbers of a row by decimal points.
func (m *Maker) point(r tabular.Row) {
	for _, col := range m.commas {
		if col < len(r.Cells) && !r.Cells[col].Plain && r.Cells[col].Code == "" {
			r.Cells[col].Text = rowschema.Pointed(r.Cells[col].Text)
		}
	}
}
