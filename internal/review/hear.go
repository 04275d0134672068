package review

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// Trial is a row of an act.
type Trial struct {
	Event *events.Event
	Cells Cells          // the texts that the act writes into the row; nil if none
	Named bool           // Cells have the names of params, not those of users
	Found []events.Field // faults that a reader found in Cells and their texts do not show

	was *decisions.Was // the state to restore, if the judge agrees; nil if none
}

// Ruling is the judgment of a row.
type Ruling struct {
	Event *events.Event

	// Refused is the reason why Cells cannot be stored; nil if they can.
	Refused *ColumnError

	// Key is the ordering key of the row with Cells.
	Key string

	// Fault is the fault of the row with Cells; nil without a known one.
	Fault *events.Failure

	edit
	runAt   int64             // the row does not run before, in unix ms; 0 means at once
	score   *int64            // the version of the row with Cells; nil if none
	typed   bool              // there were Cells
	stand   []events.Field    // faults that no rule of the kind finds
	rules   []events.Field    // faults that the rules of the kind find
	twin    []events.Field    // the fault of a row whose key another row holds
	alone   bool              // the key must be unique
	instead *decisions.Holder // the row is superseded, since this row of its key counts; nil if none
	was     *decisions.Was    // the state to restore, instead of Fault; nil if none
}

// MayRun reports whether the row may run again.
func (r *Ruling) MayRun() bool { return r.Refused == nil && r.Fault == nil && r.instead == nil }

// Params returns the row with Cells; empty without an edit.
func (r *Ruling) Params() json.RawMessage {
	if len(r.after) == 0 && !r.typed {
		return nil
	}
	return writeCells(r.cells)
}

// Hear judges rows of one act, in their order: their new state, its faults, and which rows may run
// again. A key that a row loses is free for other rows of the list. Hear does not change the ledger.
func (j *Judge) Hear(ctx context.Context, list []Trial) ([]Ruling, error) {
	out := make([]Ruling, len(list))
	for i := range list {
		if err := j.rule(&list[i], &out[i]); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(j.keys.assign(ctx, out), j.yield(ctx, out)); err != nil {
		return nil, err
	}
	for i := range out {
		r := &out[i]
		r.Fault = rowschema.Invalid(distinct(slices.Concat(r.stand, r.twin, r.rules)))
		r.restore()
	}
	return out, nil
}

// restore keeps the state to restore unless another row now holds its key.
func (r *Ruling) restore() {
	if r.was != nil && len(r.twin) > 0 {
		r.was = nil
	}
	if r.was != nil {
		r.Fault = r.was.Failure()
	}
}

// rule judges a row without its key's other rows.
func (j *Judge) rule(t *Trial, r *Ruling) error {
	e := t.Event
	r.Event, r.Key, r.typed, r.was = e, e.Key, len(t.Cells) > 0, t.was
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
		with, r.Refused = j.names(old, t.Cells)
	}
	if r.Refused != nil {
		return nil
	}
	before := columnsOf(j.standing(e, old, &Ruling{Key: e.Key, edit: edit{cells: old}}))
	if r.edit = apply(old, with); len(r.after) > 0 {
		r.Refused = tooLarge(writeCells(r.cells))
	}
	if r.Refused != nil {
		r.edit = edit{}
		return nil
	}
	j.find(t, r, old, before)
	return nil
}

// find sets the key of a row and its faults; unread are the columns that could not be read before
// the edit.
func (j *Judge) find(t *Trial, r *Ruling, old []cell, unread map[string]bool) {
	e := t.Event
	was, _ := j.check(old, unread)
	given := was != e.Key // the key came with the job, not from its cells
	now := columnsOf(slices.Concat(t.Found, j.standing(e, old, r)))
	key, faults := j.check(r.cells, now)
	if !given {
		r.Key = key
	}
	r.stand = slices.Concat(t.Found, j.standing(e, old, r), j.again(e, old, r))
	r.rules = without(faults, now)
	r.score = j.kind.Schema.Version(func(f *rowschema.Field) string { return textOf(r.cells, f.Name) })
	at, more := j.runAt(r.cells, slices.Concat(r.stand, r.rules))
	r.runAt, r.rules = at, append(r.rules, more...)
	skipped := r.was != nil && r.was.State() == events.Skipped
	r.alone = j.keys != nil && r.Key != "" && !skipped && (r.Key != e.Key || e.Duplicate() || e.State() == events.Skipped)
}

// distinct removes duplicate faults with one column and one code.
func distinct(faults []events.Field) []events.Field {
	type what struct{ column, code string }
	seen := map[what]bool{}
	return slices.DeleteFunc(faults, func(f events.Field) bool {
		known := seen[what{f.Column, f.Code}]
		seen[what{f.Column, f.Code}] = true
		return known
	})
}
