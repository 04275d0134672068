package drafts

import (
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/tasks"
)

// keyColumn is the column with the ordering keys of the rows.
type keyColumn struct {
	name  string           // name of the key in faults; empty: no key
	other bool             // place and field, not the kind, define the column
	place int              // index of the column
	field *rowschema.Field // field that the column fills; nil if none
}

// keyColumnOf returns the key column that the kind defines, or the zero value if the kind defines none.
func keyColumnOf(kind jobs.Kind) keyColumn {
	for i := range kind.Schema.Fields {
		if f := &kind.Schema.Fields[i]; f.Key {
			return keyColumn{name: f.Name}
		}
	}
	return keyColumn{}
}

// KeyName returns the name that faults use for the key column, or "" if rows have no key.
func (m *Maker) KeyName() string { return m.key.name }

// By makes another column the key column. The argument `name` is the heading or the field of that
// column. A name that is "" or unknown changes nothing.
func (m *Maker) By(name string) *Maker {
	i := keyPlace(m.Columns, m.kind, name)
	if name == "" || i < 0 {
		return m
	}
	m.key = keyColumn{name: m.Name(i), other: true, place: i}
	for j := range m.kind.Schema.Fields {
		if f := &m.kind.Schema.Fields[j]; f.Name == m.Columns[i].Field {
			m.key.field = f
		}
	}
	return m
}

// keyPlace returns the index of the column with the given heading or field, or -1.
func keyPlace(columns []tasks.Column, kind jobs.Kind, name string) int {
	i := slices.IndexFunc(columns, func(c tasks.Column) bool { return c.Header == name })
	if i >= 0 {
		return i
	}
	f := kind.Schema.Match([]string{name}, nil).Fields[0]
	return slices.IndexFunc(columns, func(c tasks.Column) bool { return f != nil && c.Field == f.Name })
}

// HasKey reports whether rows with the given columns have ordering keys. The argument `keyName` is the
// heading or field of the key column that a user has chosen. With "", HasKey reports whether the kind
// has a key field. A sensitive column cannot be the chosen key column, because pages show keys.
func HasKey(kind jobs.Kind, columns []tasks.Column, keyName string) bool {
	if keyName == "" {
		return keyColumnOf(kind).name != ""
	}
	return HasColumn(kind, columns, keyName)
}

// HasColumn reports whether a column has the given heading or field. It ignores sensitive columns.
func HasColumn(kind jobs.Kind, columns []tasks.Column, name string) bool {
	i := keyPlace(columns, kind, name)
	return i >= 0 && !slices.ContainsFunc(kind.Schema.Fields, func(f rowschema.Field) bool {
		return f.Sensitive && f.Name == columns[i].Field
	})
}

// text returns the key of a row. It returns "" if the cell is missing, blank or at fault.
func (k keyColumn) text(r tabular.Row) string {
	if k.place >= len(r.Cells) || r.Cells[k.place].Code != "" {
		return ""
	}
	text := r.Cells[k.place].Text
	if k.field != nil {
		return k.field.KeyOf(text)
	}
	return strings.TrimSpace(text)
}
