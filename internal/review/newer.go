package review

import (
	"context"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// newer returns those of the rows, each with its key, which a newer row of their key has
// superseded, and that row of each: the worker finds the same when it comes to them.
// There are none of a kind whose rows need no order.
func (d *Desk) newer(
	ctx context.Context, t *tasks.Task, j *Judge, keys map[events.ID]string,
) (map[events.ID]events.ID, error) {
	if j.kind.Unordered || len(keys) == 0 {
		return nil, nil
	}
	return d.events.Newer(ctx, laneOf(t), keys)
}
