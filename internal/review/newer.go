package review

import (
	"context"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/tasks"
)

// newer returns, for decisions about rows with the given keys, the newer rows that have superseded the rows. The
// worker makes the same check when it runs the rows. For a kind without order, newer returns no rows.
func (d *Reviewer) newer(
	ctx context.Context, t *tasks.Task, j *Judge, list []decisions.Decision, keys map[events.ID]string,
) (map[events.ID]events.ID, error) {
	if j.kind.Unordered || len(keys) == 0 {
		return nil, nil
	}
	rows := map[events.ID]events.KeyVersion{}
	for i := range list {
		if key, ok := keys[list[i].ID]; ok {
			rows[list[i].ID] = events.KeyVersion{Key: key, Version: list[i].Score}
		}
	}
	return d.events.Newer(ctx, laneOf(t), rows)
}
