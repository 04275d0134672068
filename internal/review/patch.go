package review

import (
	"context"
	"crypto/rand"
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
	j, err := d.judgeOf(t, false)
	if err != nil {
		return nil, err
	}
	if !e.Status.Bad() || e.Erased() {
		return nil, fmt.Errorf("review: row %d: %w", e.ID, ErrStatus)
	}
	rulings, err := j.Hear(ctx, []Trial{{Event: e, Cells: p.Cells}})
	if err != nil {
		return nil, err
	}
	if refused := rulings[0].Refused; refused != nil {
		return nil, refused
	}
	decision, _ := rulings[0].decision(wish{resolution: p.Resolution, typed: true, note: p.Note})
	made, err := d.events.Decide(ctx, events.Review{
		Num: t.Num, By: p.By, Rows: []events.Decision{decision}, Keys: j.keyRule, Hashed: !j.kind.Unordered, Press: rand.Text(), Act: events.ActPatch,
	})
	if err == nil && !made[0] {
		err = ErrMoved
	}
	if err != nil {
		return nil, fmt.Errorf("review: row %d: %w", e.ID, err)
	}
	return d.events.Get(ctx, e.ID)
}
