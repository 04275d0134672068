package review

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// tooManyCells is the code of a row with cells to the right of the last heading. The constant `extra` is
// the prefix of the names of such cells in params.
const (
	tooManyCells = "TOO_MANY_CELLS"
	extra        = "column "
)

func longKey(column string) events.Field {
	return rowschema.Say(events.Field{Column: column, Code: rowschema.CodeTooLong}, "key.long", "n", strconv.Itoa(rowschema.MaxKey))
}

// columnsOf returns the columns of faults. It leaves out faults of duplicate keys.
func columnsOf(faults []events.Field) map[string]bool {
	out := map[string]bool{}
	for _, f := range faults {
		if f.Column != "" && f.Code != events.CodeDuplicateKey {
			out[f.Column] = true
		}
	}
	return out
}

// withoutUnread removes the faults of the columns in the argument `unread`: a cell that could not be read
// is not also reported as empty.
func withoutUnread(faults []events.Field, unread map[string]bool) []events.Field {
	return slices.DeleteFunc(faults, func(f events.Field) bool { return unread[f.Column] })
}

// remainingFaults returns faults that the reader of the file has found, and that the texts of the row do
// not show. They remain until the cells at fault are replaced. The fault of a duplicate key remains
// until the key changes.
func (j *Validator) remainingFaults(e *events.Event, old []cell, now *ValidatedRow) (out []events.Field) {
	if e.Status != events.Failed || e.Faultless() || e.State() == events.Superseded {
		return nil
	}
	for _, f := range e.Faults() {
		if e.Attempt > 0 && f.Code != rowschema.CodeUnclearNumber { // a handler may have found it
			continue
		}
		gone := j.gone(f, old, &now.edit)
		if f.Code == events.CodeSuperseded { // setInstead finds it again
			continue
		}
		if f.Code == events.CodeDuplicateKey { // keyOwners checks it again, if there is one
			gone = now.Key != e.Key || j.keys != nil
		}
		if !j.judges(f, old) && !gone {
			out = append(out, f)
		}
	}
	return out
}

// handlerFaults returns the faults that a handler has found in columns that an edit leaves unchanged.
// Without an edit it returns none, because the user may run the unchanged row again.
func (j *Validator) handlerFaults(e *events.Event, old []cell, now *ValidatedRow) (out []events.Field) {
	if !now.typed || e.Status != events.Failed || e.Attempt == 0 || e.Faultless() {
		return nil
	}
	for _, f := range e.Faults() {
		_, changed := now.after[f.Column]
		other := f.Code == events.CodeSuperseded || f.Code == events.CodeDuplicateKey
		if !changed && !other && j.name(old, f.Column) == f.Column && f.Column != "" && !j.judges(f, old) {
			out = append(out, f)
		}
	}
	return out
}

// restored returns faults that were found earlier in a text, if an edit restores this text.
func (j *Validator) restored(e *events.Event, old []cell, now *ValidatedRow) (out []events.Field) {
	if !e.Faultless() {
		return nil
	}
	for _, f := range e.Faults() { // after an edit, the faults of the earlier run are still stored
		is := textOf(now.cells, f.Column)
		if f.Value != "" && f.Value == is && textOf(old, f.Column) != is && !j.judges(f, old) {
			out = append(out, f)
		}
	}
	return out
}

// judges reports whether the rules of the column would find the fault again. If the text was truncated,
// the rules do not find again that the text was too long.
func (j *Validator) judges(f events.Field, old []cell) bool {
	for i := range j.kind.Schema.Fields {
		if field := &j.kind.Schema.Fields[i]; field.Name == f.Column {
			cut := f.Code == rowschema.CodeTooLong && utf8.RuneCountInString(textOf(old, f.Column)) >= maxCell
			return field.Judges(f.Code) && !cut
		}
	}
	return false
}

// gone reports whether an edit has removed the cause of the fault.
func (j *Validator) gone(f events.Field, old []cell, now *edit) bool {
	switch _, unclear := now.unclear[f.Column]; {
	case f.Column != "":
		return now.touched[f.Column] && !(unclear && f.Code == rowschema.CodeUnclearNumber)
	case f.Code == tooManyCells:
		return !slices.ContainsFunc(now.cells, func(c cell) bool {
			return strings.HasPrefix(c.name, extra) && !j.columns[c.name]
		})
	}
	untouched := func(c cell) bool { return !now.touched[c.name] }
	return len(now.touched) > 0 && !slices.ContainsFunc(old, untouched)
}
