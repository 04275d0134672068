package review

import (
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// runAt returns the earliest time at which a row may run, in unix ms; 0 means at once. If the cell with
// this time is invalid, it returns the fault of the cell. It ignores the cell if `known`, the faults of
// the row, contains a fault of the cell.
func (j *Validator) runAt(cells []cell, known []events.Field) (ms int64, fault []events.Field) {
	text := textOf(cells, j.start)
	if j.start == "" || text == "" || columnsOf(known)[j.start] {
		return 0, nil
	}
	var field *rowschema.Field
	if i := slices.IndexFunc(j.kind.Schema.Fields, func(f rowschema.Field) bool { return f.Name == j.start }); i >= 0 {
		field = &j.kind.Schema.Fields[i]
	}
	ms, ok := rowschema.Instant(field, text)
	if !ok {
		return 0, []events.Field{rowschema.NoInstant(j.start, j.kind.ShowValue(j.start, text))}
	}
	return ms, nil
}
