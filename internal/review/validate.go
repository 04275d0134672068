package review

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// RowChange is a row of an act, with the change that the act makes.
type RowChange struct {
	Event *events.Event
	Cells Cells          // the texts that the act writes into the row; nil if none
	Named bool           // the keys of Cells are names in params, not the column names of users
	Found []events.Field // faults that a reader found in Cells, and that their texts do not show

	prior *decisions.PriorState // the state to restore, unless another row now has its key; nil if none
}

// ValidatedRow holds the result of Validator.Validate for one row.
type ValidatedRow struct {
	Event *events.Event

	// Refused is the reason why RowChange.Cells cannot be stored; nil if they can.
	Refused *ColumnError

	// Key is the ordering key of the row with the new cells.
	Key string

	// Fault is the fault of the row with the new cells; nil if no fault is known.
	Fault *events.Failure

	edit
	runAt   int64                 // the row does not run before this time, in unix ms; 0 means at once
	score   *int64                // the version of the row, read from its new cells; nil if none
	typed   bool                  // RowChange.Cells is not empty
	stand   []events.Field        // faults that no rule of the kind finds
	handler []events.Field        // faults that a handler found in cells that are unchanged; only a run can decide about them
	rules   []events.Field        // faults that the rules of the kind find
	twin    []events.Field        // the fault of a row whose key another row has
	alone   bool                  // the key must be unique
	instead *decisions.Holder     // the row of the same key that counts instead of this row; nil if none
	prior   *decisions.PriorState // the state to restore, instead of Fault; nil if none
}

// known returns the fault of the row with the new cells; nil if no fault is known. Unlike ValidatedRow.Fault,
// it includes a handler's faults in unchanged cells. Callers use it for rows that do not run.
func (r *ValidatedRow) known() *events.Failure {
	if len(r.handler) == 0 || r.prior != nil {
		return r.Fault
	}
	return r.invalid(slices.Concat(r.stand, r.twin, r.rules, r.handler))
}

// invalid returns the failure of a row with faults; nil if there are none. If the row still has its
// first fault, that fault stays first, so the row stays in its error group. The fault of a duplicate key
// comes before it.
func (r *ValidatedRow) invalid(faults []events.Field) *events.Failure {
	faults = distinct(faults)
	first := slices.IndexFunc(faults, func(f events.Field) bool {
		return !r.Event.Faultless() && f.Code == textutil.Deref(r.Event.Code) && f.Column == textutil.Deref(r.Event.Col)
	})
	if first > 0 && len(r.twin) == 0 {
		faults = slices.Insert(slices.Delete(slices.Clone(faults), first, first+1), 0, faults[first])
	}
	return rowschema.Invalid(faults)
}

// MayRun reports whether the row may run again.
func (r *ValidatedRow) MayRun() bool { return r.Refused == nil && r.Fault == nil && r.instead == nil }

// Params returns the params of the row with the new cells; empty without an edit.
func (r *ValidatedRow) Params() json.RawMessage {
	if len(r.after) == 0 && !r.typed {
		return nil
	}
	return writeCells(r.cells)
}

// Validate decides about the rows of one act, in their order. It returns their new state, their faults, and
// whether they may run again. If a row loses its key, another row of the list may get this key. Validate does
// not change the ledger.
func (j *Validator) Validate(ctx context.Context, list []RowChange) ([]ValidatedRow, error) {
	out := make([]ValidatedRow, len(list))
	for i := range list {
		if err := j.decide(&list[i], &out[i]); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(j.keys.assign(ctx, out), j.setInstead(ctx, out)); err != nil {
		return nil, err
	}
	for i := range out {
		r := &out[i]
		r.Fault = r.invalid(slices.Concat(r.stand, r.twin, r.rules))
		r.restore()
	}
	return out, nil
}

// restore clears ValidatedRow.prior, the state to restore, if another row now has the key of this state.
// Otherwise it sets ValidatedRow.Fault to the fault of this state.
func (r *ValidatedRow) restore() {
	if r.prior != nil && len(r.twin) > 0 {
		r.prior = nil
	}
	if r.prior != nil {
		r.Fault = r.prior.Failure()
	}
}

// decide decides about a row without considering other rows of its key.
func (j *Validator) decide(t *RowChange, r *ValidatedRow) error {
	e := t.Event
	r.Event, r.Key, r.typed, r.prior = e, e.Key, len(t.Cells) > 0, t.prior
	if j.kind.Schema == nil {
		if r.typed {
			r.Refused = &ColumnError{"", "Rows of this kind have no columns."}
		}
		return nil
	}
	old, err := readCells(e.Params)
	if err != nil {
		return err
	}
	with := t.Cells
	if !t.Named {
		with, r.Refused = j.paramNames(old, t.Cells)
	}
	if r.Refused != nil {
		return nil
	}
	before := columnsOf(j.remainingFaults(e, old, &ValidatedRow{Key: e.Key, edit: edit{cells: old}}))
	if r.edit = apply(old, with); len(r.after) > 0 {
		r.Refused = tooLarge(writeCells(r.cells))
	}
	if r.Refused != nil {
		r.edit = edit{}
		return nil
	}
	r.unclear = j.unclear(t, old)
	found := slices.Clone(t.Found)
	for _, name := range slices.Sorted(maps.Keys(r.after)) {
		if fault, ok := r.unclear[name]; ok {
			found = append(found, fault)
		}
	}
	j.setFaults(t, r, old, before, found)
	return nil
}

// unclear returns the faults of typed numbers that are unclear in the notation of the task, by column. It
// checks the typed texts, not the new cells. For a typed 1,250, which is clear, the cell has 1.250, which would
// be unclear. The reader of a corrected file finds such faults itself.
func (j *Validator) unclear(t *RowChange, old []cell) map[string]events.Field {
	out := map[string]events.Field{}
	for column, text := range t.Cells {
		name := j.name(old, column)
		if fault := unclear(j.kind, j.task, name, textutil.Deref(text)); fault != nil && !t.Named {
			out[name] = *fault
		}
	}
	return out
}

// setFaults sets the key and the faults of a row. The argument `unread` holds the columns that
// could not be read before the edit. The argument `found` holds the faults that were found in
// the edit, and that the new cells do not show.
func (j *Validator) setFaults(t *RowChange, r *ValidatedRow, old []cell, unread map[string]bool, found []events.Field) {
	e := t.Event
	oldKey, _ := j.check(old, unread)
	given := oldKey != e.Key // the key came with the job, not from its cells
	now := columnsOf(slices.Concat(found, j.remainingFaults(e, old, r)))
	key, faults := j.check(r.cells, now)
	if !given {
		r.Key = key
	}
	r.stand = slices.Concat(found, j.remainingFaults(e, old, r), j.restored(e, old, r))
	r.handler = j.handlerFaults(e, old, r)
	r.rules = withoutUnread(faults, now)
	r.score = j.kind.Schema.Version(func(f *rowschema.Field) string { return textOf(r.cells, f.Name) })
	at, more := j.runAt(r.cells, slices.Concat(r.stand, r.rules))
	r.runAt, r.rules = at, append(r.rules, more...)
	skipped := r.prior != nil && r.prior.State().Left()
	r.alone = j.keys != nil && r.Key != "" && !skipped && (r.Key != e.Key || e.Duplicate() || e.State().Left())
}

// distinct removes each fault that has the same column and code as an earlier fault.
func distinct(faults []events.Field) []events.Field {
	type what struct{ column, code string }
	seen := map[what]bool{}
	return slices.DeleteFunc(faults, func(f events.Field) bool {
		known := seen[what{f.Column, f.Code}]
		seen[what{f.Column, f.Code}] = true
		return known
	})
}
