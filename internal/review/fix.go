package review

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/tasks"
)

// CellFilter is a condition on a row: its cell in Column has the text Text. Spaces around the text of the
// cell are ignored.
type CellFilter struct{ Column, Text string }

// matchesCell reports whether a row matches BulkAction.Holds. It returns true if Holds is nil.
func (p *BulkAction) matchesCell(e *events.Event, j *Validator) (bool, error) {
	if p.Holds == nil {
		return true, nil
	}
	cells, err := readCells(e.Params)
	if err != nil || j.kind.Schema == nil {
		return false, nil //nolint:nilerr // a row without cells holds no text
	}
	_, text, err := wholeCell(cells, j, p.Holds.Column)
	return err == nil && text == p.Holds.Text, err
}

// wholeCell returns the name of a column and the text of its cell without spaces around it. It returns an
// error for an unknown or sensitive column. For a sensitive column, it does so even if the cell is empty:
// an act must not reveal which cells are empty. A Fix would also store the new text in its history.
func wholeCell(cells []cell, j *Validator, column string) (name, text string, err error) {
	name = j.name(cells, column)
	switch {
	case name == "":
		return "", "", &ColumnError{column, fmt.Sprintf("There is no column %.100q.", column)}
	case j.kind.Hides(name):
		return "", "", notShown(column)
	}
	return name, strings.TrimSpace(textOf(cells, name)), nil
}

func notShown(column string) *ColumnError {
	return &ColumnError{column, "The texts of this column are masked: set a whole new text."}
}

// fixed returns the text that replaces the whole cell of a row; nil if the act has no text for this
// cell, or the same text.
func (p *BulkAction) fixed(e *events.Event, j *Validator) (Cells, error) {
	old, err := readCells(e.Params)
	if err != nil || j.kind.Schema == nil {
		return nil, nil //nolint:nilerr // a row without cells has no text to replace
	}
	name, oldText, err := wholeCell(old, j, p.Fix.Column)
	if err != nil {
		return nil, err
	}
	newText, ok := p.Fix.With[oldText]
	if !ok || newText == textOf(old, name) {
		return nil, nil
	}
	return Cells{name: &newText}, nil
}

// runLater schedules the resubmission of the rows of an act. It does nothing if RunAfter is 0, in a dry
// run, or if the act changed no row. If the process crashes before this call, the rows stay changed, but
// are not resubmitted automatically.
func (d *Reviewer) runLater(ctx context.Context, t *tasks.Task, p *BulkAction, out *Outcome) error {
	if p.RunAfter == 0 || p.DryRun || out.ActID == "" {
		return nil
	}
	out.RunAt = d.now().Add(p.RunAfter).UnixMilli()
	return d.decisions.RunActAt(ctx, t.Num, out.ActID, out.RunAt)
}

// RunAct resubmits the rows of an act that have not changed since the act, and have no known fault.
// Afterwards, no resubmission of the act is scheduled. Repeated or concurrent calls resubmit each row at
// most once. If an undo of the act starts meanwhile, RunAct stops. The rows of a closed task stay unchanged.
func (d *Reviewer) RunAct(ctx context.Context, t *tasks.Task, act *decisions.Act) (Outcome, error) {
	var out Outcome
	for before := events.NewID(t.Num+1, 0); ; {
		rows, err := d.decisions.ActRows(ctx, act, before, pageSize)
		if err != nil {
			return out, fmt.Errorf("review: run act %s: %w", act.ID, err)
		}
		if now, err := d.decisions.Act(ctx, t.Num, act.ID); err != nil || now == nil || now.UndoneBy != "" {
			return out, err // an undo has started and handles the remaining rows
		}
		one, err := d.runRows(ctx, t, act, rows)
		if errors.Is(err, events.ErrClosed) {
			break
		}
		if err != nil {
			return out, fmt.Errorf("review: run act %s: %w", act.ID, err)
		}
		if out.Add(one); len(rows) < pageSize {
			break
		}
		before = rows[len(rows)-1].ID
	}
	return out, d.decisions.RunActAt(ctx, t.Num, act.ID, 0)
}

// runRows resubmits the fixed rows that have not changed since the act.
func (d *Reviewer) runRows(ctx context.Context, t *tasks.Task, act *decisions.Act, rows []decisions.ActRow) (Outcome, error) {
	found, err := d.rowsOf(ctx, t, rows)
	if err != nil {
		return Outcome{}, err
	}
	var list []events.Event
	for i := range rows {
		if e := found[rows[i].ID]; e != nil && e.Version == rows[i].Version && e.State() == events.Fixed {
			list = append(list, *e)
		}
	}
	if len(list) == 0 {
		return Outcome{}, nil
	}
	out, _, err := d.Rerun(ctx, t, list, BulkAction{By: act.Actor, Whole: act.ID})
	return out, err
}
