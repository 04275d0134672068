package review

import (
	"context"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Rerun resubmits the given rows of a task, like a BulkAction with Resubmit. It returns the rows
// that run again; for a dry run, the rows that would run again. The caller passes at most 1,000
// rows, unchanged since it read them. Rerun uses only the fields By, Note, DryRun, Anyway and Whole of p.
func (d *Reviewer) Rerun(
	ctx context.Context, t *tasks.Task, rows []events.Event, p BulkAction,
) (out Outcome, ran []events.ID, err error) {
	j, err := d.validatorOf(t, p.DryRun)
	if err != nil {
		return out, nil, err
	}
	j.anyway = p.Anyway
	trials := make([]RowChange, len(rows))
	for i := range rows {
		trials[i].Event = &rows[i]
	}
	p = BulkAction{Act: Resubmit, By: p.By, Note: p.Note, DryRun: p.DryRun, Anyway: p.Anyway, Whole: p.Whole}
	ran, err = d.applyChanges(ctx, t, j, &p, trials, &out)
	return out, ran, err
}
