package web

import (
	"context"
	"encoding/json"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/review"
	"github.com/rollcall-dev/rollcall/tasks"
)

// undoable is how many of the last acts on a task are looked through for an edit
// that can be undone.
const undoable = 1000

// lastEdit is what takes back the last edit of a row: its cells as they were. It
// is nil if there was none lately, if the row has run since, or if a cell is
// another by now.
func (p *pages) lastEdit(ctx context.Context, t *tasks.Task, e *events.Event) (review.Cells, error) {
	if !e.Status.Bad() {
		return nil, nil
	}
	list, err := p.opt.Tasks.Trail(ctx, t.Num, 0, undoable)
	if err != nil {
		return nil, err
	}
	for _, act := range list {
		if act.Seq != e.ID.Seq() {
			continue
		}
		if act.Act != "patch" {
			return nil, nil // it was decided about otherwise
		}
		return cellsBefore(act.Detail, e.Params), nil
	}
	return nil, nil
}

// cellsBefore are the cells before an edit, if the row is as that left it.
func cellsBefore(detail, params string) review.Cells {
	var edit struct{ Before, After map[string]*string }
	var cells map[string]string
	if json.Unmarshal([]byte(detail), &edit) != nil || json.Unmarshal([]byte(params), &cells) != nil {
		return nil
	}
	out := review.Cells{}
	for column, after := range edit.After {
		if cells[column] != deref(after) {
			return nil
		}
		out[column] = edit.Before[column]
	}
	return out
}
