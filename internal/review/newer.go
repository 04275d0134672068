package review

import (
	"context"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/tasks"
)

// newer maps the row of each decision to the newer row that supersedes it. It leaves out rows without such a row,
// rows that `keys` lacks, and all rows of kinds without order. The worker makes the same check when it runs a row.
func (d *Reviewer) newer(
	ctx context.Context, t *tasks.Task, j *Validator, list []decisions.Decision, keys map[events.ID]string,
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
