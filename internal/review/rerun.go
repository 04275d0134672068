package review

import (
	"context"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Rerun resubmits given rows of a task, like a press of Resubmit, and returns the rows that run
// again; for a dry run, the expected ones. There are at most 1,000 rows, as they were read. Of p it
// uses By, Note, DryRun and Anyway.
func (d *Desk) Rerun(
	ctx context.Context, t *tasks.Task, rows []events.Event, p Press,
) (out Outcome, ran []events.ID, err error) {
	j, err := d.judgeOf(t, p.DryRun)
	if err != nil {
		return out, nil, err
	}
	j.anyway = p.Anyway
	trials := make([]Trial, len(rows))
	for i := range rows {
		trials[i].Event = &rows[i]
	}
	p = Press{Act: Resubmit, By: p.By, Note: p.Note, DryRun: p.DryRun, Anyway: p.Anyway}
	ran, err = d.settle(ctx, t, j, &p, trials, &out)
	return out, ran, err
}
