package review

import (
	"context"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Rerun has rows of a task run again, as a press of Resubmit does to them, and returns
// which do or, as a dry run, would. The rows are as they were read; at most 1,000. Of p,
// the By, Note, DryRun and Anyway count.
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
