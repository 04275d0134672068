package review

import (
	"context"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/tasks"
)

// MayUndo reports whether an undo of an act would restore a row. It reads at most the last 1,001 rows of
// the act. If none of them would be restored and there are more, it returns true.
func (d *Reviewer) MayUndo(ctx context.Context, t *tasks.Task, act *decisions.Act) (bool, error) {
	last := events.NewID(t.Num+1, 0)
	for _, most := range []int{1, pageSize} { // often the last row is enough
		list, err := d.decisions.ActRows(ctx, act, last, most)
		if err != nil {
			return false, fmt.Errorf("review: rows of act %s: %w", act.ID, err)
		}
		rows, err := d.rowsOf(ctx, t, list)
		if err != nil {
			return false, fmt.Errorf("review: rows of act %s: %w", act.ID, err)
		}
		for i := range list {
			if e := rows[list[i].ID]; e != nil {
				if _, ok := reversal(act.At, &list[i], e); ok {
					return true, nil
				}
			}
		}
		if len(list) < most {
			return false, nil
		}
		last = list[len(list)-1].ID
	}
	return true, nil
}
