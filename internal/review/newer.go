package review

import (
	"context"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// newer returns, for rows with the given keys, the newer rows that have superseded them. The worker
// makes the same check when it runs the rows. For a kind without order, newer returns no rows.
func (d *Reviewer) newer(
	ctx context.Context, t *tasks.Task, j *Judge, keys map[events.ID]string,
) (map[events.ID]events.ID, error) {
	if j.kind.Unordered || len(keys) == 0 {
		return nil, nil
	}
	return d.events.Newer(ctx, laneOf(t), keys)
}
