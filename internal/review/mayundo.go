package review

import (
	"context"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/tasks"
)

// maxUndoPages bounds the pages of rows that MayUndo reads.
const maxUndoPages = 10

// MayUndo reports whether an undo of an act would restore a row. Rows that ran since then, or that were changed
// otherwise, stay. MayUndo reads the last rows of the act. If all of them would stay and there are more, it returns
// true.
func (d *Reviewer) MayUndo(ctx context.Context, t *tasks.Task, act *decisions.Act) (bool, error) {
	j, err := d.judgeOf(t, true)
	if err != nil {
		return false, err
	}
	before, most := events.NewID(t.Num+1, 0), 1 // often the last row is enough
	for range maxUndoPages {
		list, err := d.decisions.ActRows(ctx, act, before, most)
		if err != nil {
			return false, fmt.Errorf("review: rows of act %s: %w", act.ID, err)
		}
		rows, err := d.rowsOf(ctx, t, list)
		if err != nil {
			return false, fmt.Errorf("review: rows of act %s: %w", act.ID, err)
		}
		for i := range list {
			if e := rows[list[i].ID]; e != nil {
				if _, ok := j.before(act.At, &list[i], e); ok {
					return true, nil
				}
			}
		}
		if len(list) < most {
			return false, nil
		}
		before, most = list[len(list)-1].ID, pageSize
	}
	return true, nil
}
