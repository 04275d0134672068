package review

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// tooManyCells is the code of a row with cells right of the last heading. extra begins the name of
// such a cell in params.
const (
	tooManyCells = "TOO_MANY_CELLS"
	extra        = "column "
)

func longKey(column string) events.Field {
	return rowschema.Say(events.Field{Column: column, Code: rowschema.CodeTooLong}, "key.long", "n", strconv.Itoa(rowschema.MaxKey))
}

// columnsOf returns the columns of faults.
func columnsOf(faults []events.Field) map[string]bool {
	out := map[string]bool{}
	for _, f := range faults {
		if f.Column != "" && f.Code != events.CodeDuplicateKey {
			out[f.Column] = true
		}
	}
	return out
}

// without removes the faults of unreadable columns: such a cell is not also empty.
func without(faults []events.Field, unread map[string]bool) []events.Field {
	return slices.DeleteFunc(faults, func(f events.Field) bool { return unread[f.Column] })
}

// standing returns the faults found by the reader of the row that its texts do not show. They
// remain until the cells at fault are replaced. The fault of a duplicate key remains until the key
// changes.
func (j *Judge) standing(e *events.Event, old []cell, now *Ruling) (out []events.Field) {
	if e.Status != events.Failed || e.Attempt > 0 || e.Faultless() || e.State() == events.Superseded {
		return nil
	}
	for _, f := range e.Faults() {
		gone := j.gone(f, old, &now.edit)
		if f.Code == events.CodeSuperseded { // found again: see yield
			continue
		}
		if f.Code == events.CodeDuplicateKey { // the keyring checks it again, if there is one
			gone = now.Key != e.Key || j.keys != nil
		}
		if !j.judges(f, old) && !gone {
			out = append(out, f)
		}
	}
	return out
}

// again returns the faults that a run has found in a text which an edit restores.
func (j *Judge) again(e *events.Event, old []cell, now *Ruling) (out []events.Field) {
	if !e.Faultless() {
		return nil
	}
	for _, f := range e.Faults() { // of an edited row, the cause remains
		is := textOf(now.cells, f.Column)
		if f.Value != "" && f.Value == is && textOf(old, f.Column) != is && !j.judges(f, old) {
			out = append(out, f)
		}
	}
	return out
}

// judges reports whether the rules of the column would find the fault again. A truncated text is
// shorter than the text that was too long.
func (j *Judge) judges(f events.Field, old []cell) bool {
	for i := range j.kind.Schema.Fields {
		if field := &j.kind.Schema.Fields[i]; field.Name == f.Column {
			cut := f.Code == rowschema.CodeTooLong && utf8.RuneCountInString(textOf(old, f.Column)) >= maxCell
			return field.Judges(f.Code) && !cut
		}
	}
	return false
}

// gone reports whether an edit has removed the cause of the fault.
func (j *Judge) gone(f events.Field, old []cell, now *edit) bool {
	switch {
	case f.Column != "":
		return now.touched[f.Column]
	case f.Code == tooManyCells:
		return !slices.ContainsFunc(now.cells, func(c cell) bool {
			return strings.HasPrefix(c.name, extra) && !j.columns[c.name]
		})
	}
	untouched := func(c cell) bool { return !now.touched[c.name] }
	return len(now.touched) > 0 && !slices.ContainsFunc(old, untouched)
}
