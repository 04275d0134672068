package importers

import (
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// keyColumn is where the keys of rows stand.
type keyColumn struct {
	name  string        // as faults call it; empty: there is none
	other bool          // it is not that of the kind:
	place int           // the column
	field *worker.Field // that it feeds; nil if none
}

// keyColumnOf is that of the kind.
func keyColumnOf(kind worker.Kind) keyColumn {
	for i := range kind.Schema.Fields {
		if f := &kind.Schema.Fields[i]; f.Key {
			return keyColumn{name: f.Name}
		}
	}
	return keyColumn{}
}

// by has rows ordered by the column with that heading, or of that field,
// instead; empty, or a name that is not there, changes nothing.
func (m *rowMaker) by(name string) *rowMaker {
	i := keyPlace(m.columns, m.kind, name)
	if name == "" || i < 0 {
		return m
	}
	m.key = keyColumn{name: m.name(i), other: true, place: i}
	for j := range m.kind.Schema.Fields {
		if f := &m.kind.Schema.Fields[j]; f.Name == m.columns[i].Field {
			m.key.field = f
		}
	}
	return m
}

// keyPlace finds the column that a person calls so: by its heading or by its
// field; -1 if there is none.
func keyPlace(columns []tasks.Column, kind worker.Kind, name string) int {
	i := slices.IndexFunc(columns, func(c tasks.Column) bool { return c.Header == name })
	if i >= 0 {
		return i
	}
	f := kind.Schema.Match([]string{name}, nil).Fields[0]
	return slices.IndexFunc(columns, func(c tasks.Column) bool { return f != nil && c.Field == f.Name })
}

// HasKey tells whether rows under these options have keys, in a file of these
// columns. A sensitive column is none: keys are shown wherever their jobs are.
func (o Options) HasKey(kind worker.Kind, columns []tasks.Column) bool {
	if o.KeyColumn == "" {
		return keyColumnOf(kind).name != ""
	}
	i := keyPlace(columns, kind, o.KeyColumn)
	return i >= 0 && !slices.ContainsFunc(kind.Schema.Fields, func(f worker.Field) bool {
		return f.Sensitive && f.Name == columns[i].Field
	})
}

// text is the key of a row.
func (k keyColumn) text(r Row) string {
	if k.place >= len(r.Cells) || r.Cells[k.place].Code != "" {
		return ""
	}
	text := r.Cells[k.place].Text
	if k.field != nil {
		return k.field.KeyOf(text)
	}
	return strings.TrimSpace(text)
}
