package review

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Undo holds the act to undo, and the options of the undo.
type Undo struct {
	By     string
	Act    *decisions.Act
	Row    *events.Event // only this row of the act; nil means all
	DryRun bool          // only count
}

// Undo restores the rows of an act, from the last to the first, at most 1,000 per transaction.
// It restores the cells, the fault, the resolution, and the user of the last decision.
//
// A later change of a row is kept. If it concerns other cells than the act, Undo restores the cells
// of the act and validates the row again. Otherwise it leaves the row unchanged, and Outcome.Moved
// counts the row. An undo is an act itself, so a user can undo it, too. After an error, a repeated
// call continues.
func (d *Reviewer) Undo(ctx context.Context, t *tasks.Task, u Undo) (Outcome, error) {
	var out Outcome
	j, err := d.validatorOf(t, u.DryRun)
	if err != nil {
		return out, err
	}
	p, err := d.undoing(ctx, &u)
	if err != nil {
		return out, fmt.Errorf("review: undo: %w", err)
	}
	for before := u.startID(t); ; {
		rows, err := d.decisions.ActRows(ctx, u.Act, before, u.most())
		if err == nil {
			err = d.takeBack(ctx, t, j, &p, rows, &out)
		}
		if err != nil {
			return out, fmt.Errorf("review: undo: %w", err)
		}
		if len(rows) < pageSize {
			break
		}
		before = rows[len(rows)-1].ID
	}
	if u.DryRun || u.Row != nil {
		return out, nil
	}
	if err := d.decisions.EndUndo(ctx, u.Act); err != nil || out.ActID != "" {
		return out, err
	}
	out.ActID, err = d.begun(ctx, t, p.id)
	return out, err
}

// begun returns the id of an undo if the undo has restored rows, in this or another request;
// otherwise "".
func (d *Reviewer) begun(ctx context.Context, t *tasks.Task, id string) (string, error) {
	act, err := d.decisions.Act(ctx, t.Num, id)
	if err != nil || act == nil {
		return "", err
	}
	return act.ID, nil
}

// undoing returns the undo as a BulkAction. An act has only one undo of all its rows: a repeated or
// concurrent undo continues it.
func (d *Reviewer) undoing(ctx context.Context, u *Undo) (p BulkAction, err error) {
	p = BulkAction{Act: UndoAct, By: u.By, DryRun: u.DryRun, id: rand.Text(), lenient: true, undoes: u.Act}
	switch {
	case u.Row != nil:
		p.Act = decisions.ActPatch
	case !u.DryRun:
		p.id, err = d.decisions.BeginUndo(ctx, u.Act, p.id)
	}
	return p, err
}

// startID returns an id that is greater than the ids of all rows of the undo, which restores the last row
// first.
func (u *Undo) startID(t *tasks.Task) events.ID {
	if u.Row != nil {
		return u.Row.ID + 1
	}
	return events.NewID(t.Num+1, 0)
}

func (u *Undo) most() int {
	if u.Row != nil {
		return 1
	}
	return pageSize
}

func (d *Reviewer) takeBack(
	ctx context.Context, t *tasks.Task, j *Validator, p *BulkAction, list []decisions.ActRow, out *Outcome,
) error {
	rows, err := d.rowsOf(ctx, t, list)
	if err != nil {
		return err
	}
	var trials []RowChange
	for i := range list {
		if e := rows[list[i].ID]; e != nil {
			if trial, ok := reversal(p.undoes.At, &list[i], e); ok {
				trials = append(trials, trial)
				continue
			}
		}
		out.Moved++
	}
	_, err = d.applyChanges(ctx, t, j, p, trials, out)
	return err
}

// rowsOf returns the rows of an act that are still failed or in error, by id.
func (d *Reviewer) rowsOf(ctx context.Context, t *tasks.Task, of []decisions.ActRow) (map[events.ID]*events.Event, error) {
	out := map[events.ID]*events.Event{}
	if len(of) == 0 {
		return out, nil
	}
	seqs := make([]int64, len(of))
	for i := range of {
		seqs[i] = of[i].ID.Seq()
	}
	list, err := d.events.Bad(ctx, t.Num, events.Filter{Seqs: seqs, Limit: len(seqs)})
	for i := range list {
		out[list[i].ID] = &list[i]
	}
	return out, err
}

// reversal returns the RowChange that restores a row of an act, and whether the row may be restored. The
// argument `at` is the time of the act, in unix ms. A row may be restored if it has not changed since
// the act. It may also be restored if the cells that the act changed still have the texts of the act.
// This has two more conditions: the row has not run since, and it is neither skipped nor accepted.
func reversal(at int64, r *decisions.ActRow, e *events.Event) (RowChange, bool) {
	t := RowChange{Event: e, Cells: r.Was.Before, Named: true}
	if e.Version == r.Version {
		t.prior = &r.Was
		return t, true
	}
	cells, err := readCells(e.Params)
	if err != nil || len(r.Was.After) == 0 || e.State().Left() || ran(e, at) {
		return t, false
	}
	for name, after := range r.Was.After {
		if !same(filled(textOf(cells, name)), after) {
			return t, false
		}
	}
	if e.Attempt == 0 {
		t.Found = foundFaults(&r.Was)
	}
	return t, true
}

// ran reports whether a row has run after a time, in unix ms, or will run.
func ran(e *events.Event, at int64) bool {
	return e.FinishedAt != nil && *e.FinishedAt > at ||
		e.Resolution != nil && *e.Resolution == events.Resubmitted
}

// foundFaults returns the faults that the reader of the file found in the cells that an act changed. It
// leaves out faults of duplicate keys.
func foundFaults(w *decisions.PriorState) []events.Field {
	f := w.Failure()
	if f == nil {
		return nil
	}
	extraCell := false
	for name := range w.Before {
		extraCell = extraCell || strings.HasPrefix(name, extra)
	}
	return slices.DeleteFunc(f.Fields, func(f events.Field) bool {
		_, edited := w.Before[f.Column]
		return !edited && !(f.Code == tooManyCells && extraCell) || f.Code == events.CodeDuplicateKey
	})
}

func same(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
