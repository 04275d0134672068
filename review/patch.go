package review

import (
	"context"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Patch is what a person does to one row.
type Patch struct {
	By    string
	Cells Cells  // nil: params stay
	Note  string // why; may be empty

	// Resolution is Open, Fixed or Skipped. Empty: what the faults say, if there
	// are Cells, else as it was. A row with known faults is not Fixed, but Open;
	// one without is not Open once it was edited, but Fixed.
	Resolution events.Resolution
}

// Patch repairs or skips a row, as it was read. It returns the row as it is by
// then; ErrStatus, ErrMoved, a *ColumnError, or events.ErrClosed, having changed
// nothing.
func (d *Desk) Patch(ctx context.Context, t *tasks.Task, e *events.Event, p Patch) (*events.Event, error) {
	j, err := d.judgeOf(ctx, t)
	if err != nil {
		return nil, err
	}
	if !e.Status.Bad() {
		return nil, fmt.Errorf("review: row %d: %w", e.ID, ErrStatus)
	}
	decision, err := j.decide(e, p)
	if err != nil {
		return nil, err
	}
	made, err := d.events.Decide(ctx, events.Review{
		Num: t.Num, By: p.By, Rows: []events.Decision{decision},
	})
	if err == nil && !made[0] {
		err = ErrMoved
	}
	if err != nil {
		return nil, fmt.Errorf("review: row %d: %w", e.ID, err)
	}
	return d.events.Get(ctx, e.ID)
}

// decide says what becomes of a row.
func (j *judge) decide(e *events.Event, p Patch) (events.Decision, error) {
	out := events.Decision{ID: e.ID, Version: e.Version, Resolution: p.Resolution, Note: p.Note}
	r, err := j.rule(e, p.Cells)
	if err != nil {
		return out, err
	}
	if len(r.after) > 0 || len(p.Cells) > 0 {
		params := writeCells(r.cells)
		if err := tooLarge(params); err != nil {
			return out, err
		}
		out.Edit = &events.Edit{
			Params: params, Key: r.key, Fault: r.fault, Before: r.before, After: r.after,
			Alone: j.taken != nil && r.key != "",
		}
	}
	edited := out.Edit != nil || e.Faultless()
	switch {
	case p.Resolution == events.Skipped:
	case p.Resolution == "" && out.Edit == nil:
		out.Resolution = e.State()
	case r.fault != nil:
		out.Resolution = events.Open
	case edited:
		out.Resolution = events.Fixed
	}
	return out, nil
}
