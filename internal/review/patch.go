package review

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Patch is a user's change of one row.
type Patch struct {
	By    string
	Cells Cells  // nil: the params stay unchanged
	Note  string // the reason; may be empty
	Group string // the client's name of the act on several rows to which the change belongs; "": an act of its own

	// Resolution is Open, Fixed, Skipped or Accepted. If it is empty, the faults of the edited row decide;
	// without Cells the resolution does not change. A row with known faults becomes Open instead of
	// Fixed. An edited row without known faults becomes Fixed instead of Open.
	Resolution events.Resolution
}

// Patch applies a user's change to one row, and returns its new state. It returns ErrMoved if the row has
// changed since the caller read it, and ErrStatus if the row cannot be repaired. It returns a *ColumnError
// if a cell cannot be stored, events.ErrClosed for a closed task, and ErrKind for an unknown or private
// kind. It returns decisions.ErrUndone if the act that p.Group names was undone. After these errors, the
// row is unchanged.
func (d *Reviewer) Patch(ctx context.Context, t *tasks.Task, e *events.Event, p Patch) (*events.Event, error) {
	j, err := d.validatorOf(t, false)
	if err != nil {
		return nil, err
	}
	if !e.Status.Bad() || e.Erased() {
		return nil, fmt.Errorf("review: row %d: %w", e.ID, ErrStatus)
	}
	validated, err := j.Validate(ctx, []RowChange{{Event: e, Cells: p.Cells}})
	if err != nil {
		return nil, err
	}
	if refused := validated[0].Refused; refused != nil {
		return nil, refused
	}
	decision, _ := validated[0].decision(intent{resolution: p.Resolution, typed: true, note: p.Note})
	id, act := rand.Text(), decisions.ActPatch
	if p.Group != "" {
		id, act = decisions.GroupID(t.Num, p.By, p.Group), decisions.ActGroup
	}
	made, err := d.decisions.Decide(ctx, decisions.Review{
		Num: t.Num, By: p.By, Rows: []decisions.Decision{decision}, Keys: j.keyRule, Hashed: !j.kind.Unordered, ActID: id, Act: act,
	})
	if err == nil && !made[0] {
		err = ErrMoved
	}
	if err != nil {
		return nil, fmt.Errorf("review: row %d: %w", e.ID, err)
	}
	return d.events.Get(ctx, e.ID)
}
