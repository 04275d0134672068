package drafts

import (
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// StartBy delays each row until the time in one of its cells. The argument `name` is the heading or
// the field of that column. A name that is "" or unknown delays no row.
func (m *Maker) StartBy(name string) *Maker {
	m.start = -1
	if name != "" {
		m.start = keyPlace(m.Columns, m.kind, name)
	}
	return m
}

// StartBy delays each row until the time in the field with the given name. A name that is "" or
// unknown delays no row.
func (j *JSONRows) StartBy(name string) *JSONRows {
	j.maker.StartBy(name)
	return j
}

// runAt returns the time in unix ms before which a row does not run. It returns 0 if the row can run at
// once, or if the reader found a fault in the cell. If the cell is neither blank nor a valid time, runAt
// returns 0 and a fault.
func (m *Maker) runAt(r tabular.Row) (ms int64, fault []events.Field) {
	if m.start < 0 || m.start >= len(r.Cells) || r.Cells[m.start].Code != "" {
		return 0, nil
	}
	text := strings.TrimSpace(r.Cells[m.start].Text)
	if text == "" {
		return 0, nil
	}
	ms, ok := rowschema.Instant(m.FieldOf(m.start), text)
	if !ok {
		name := m.Name(m.start)
		return 0, []events.Field{rowschema.NoInstant(name, m.kind.ShowValue(name, text))}
	}
	return max(ms, 0), nil
}
