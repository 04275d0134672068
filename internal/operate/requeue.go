package operate

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Requeued is the result of Requeue; for a dry run, the expected result.
type Requeued struct {
	Result     // of the keys; Touched counts the requeued keys
	Rows   int // rows that run again
	review.Outcome
}

// Requeue requeues keys from the morgue. Their rows are resubmitted: they have all their retries again, and
// run in the order of their key. Package review validates each row as in any resubmission. Invalid rows stay
// in the morgue, and so do rows of a canceled or purged task. With Order.All, rows that a user has skipped or
// accepted stay, too. Keys of an untracked kind only return to the queue. Requeue returns review.ErrKind if
// this program does not register the kind of the rows.
func (d *Operator) Requeue(ctx context.Context, o Order) (out Requeued, err error) {
	o.id = rand.Text()
	out.Result, err = d.perform(ctx, o, work{list: d.admin.Morgue, fits: inMorgue, do: func(keys []string) (int, error) {
		if !o.tracked(d.kinds) {
			return d.requeue(ctx, o, keys)
		}
		back := map[string]bool{}
		err := d.morgueJobs(ctx, o, keys, func(list []*morgueJob) error { return d.revive(ctx, o, list, back, &out) })
		return len(back), err
	}})
	return out, err
}

// requeue requeues keys of an untracked kind from the morgue, and returns their number. In a dry run it
// only counts them.
func (d *Operator) requeue(ctx context.Context, o Order, keys []string) (int, error) {
	if o.DryRun {
		return len(keys), nil
	}
	n, err := d.admin.RequeueMorgue(ctx, o.Queue, keys...)
	return n, queueErr(err)
}

// revive requeues the jobs of a page, and adds the keys of requeued jobs to `back`.
func (d *Operator) revive(
	ctx context.Context, o Order, list []*morgueJob, back map[string]bool, out *Requeued,
) error {
	byTask := map[string][]*morgueJob{}
	for _, b := range list {
		if b.known && b.state.Status == events.Error {
			byTask[b.env.TaskID] = append(byTask[b.env.TaskID], b)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(byTask)) {
		if err := d.resubmit(ctx, o, id, byTask[id], out); err != nil {
			return err
		}
	}
	stalled := map[string]bool{} // keys of stalled jobs
	for _, b := range list {
		switch {
		case b.stalled():
			stalled[b.Key], back[b.Key] = true, true
		case b.known && b.state.Status == events.Enqueue:
			back[b.Key] = back[b.Key] || b.state.Back
		}
	}
	if o.DryRun {
		return nil
	}
	if err := d.removeFromMorgue(ctx, o, list, (*morgueJob).over); err != nil {
		return err
	}
	if len(stalled) == 0 {
		return nil
	}
	if err := d.noteStalled(ctx, o, list); err != nil {
		return err
	}
	_, err := d.admin.RequeueMorgue(ctx, o.Queue, slices.Collect(maps.Keys(stalled))...)
	return queueErr(err)
}

// noteStalled records that the jobs of rows that must still run may be outdated, since newer rows of their
// keys may have finished. With Order.Anyway it records nothing, and the jobs run in any case.
func (d *Operator) noteStalled(ctx context.Context, o Order, list []*morgueJob) error {
	if o.Anyway {
		return nil
	}
	marks, err := lanes.New(d.tasks).Generations(ctx)
	for _, b := range list {
		if err == nil && b.stalled() {
			_, err = d.events.NoteStray(ctx, b.env.Event, marks.Redis)
		}
	}
	if err != nil {
		return fmt.Errorf("operate: requeue: %w", err)
	}
	return nil
}

// over reports whether this copy of the job is obsolete. It returns true if another copy waits or runs, or if
// the row was resubmitted or deleted. It also returns true if the row is at rest with a status other than
// error.
func (b *morgueJob) over() bool {
	return !b.known || b.alive || b.state.Back || b.state.Status.AtRest() && b.state.Status != events.Error
}

// resubmit resubmits rows of one task by the rules of package review. In `list`, it marks the jobs of
// these rows as resubmitted.
func (d *Operator) resubmit(ctx context.Context, o Order, task string, list []*morgueJob, out *Requeued) error {
	t, err := d.tasks.Get(ctx, o.Tenant, task)
	if errors.Is(err, tasks.ErrNotFound) || errors.Is(err, tasks.ErrExpired) || err == nil && review.Closed(t) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("operate: requeue: %w", err)
	}
	rows, err := d.inError(ctx, o, t, list)
	if err != nil {
		return fmt.Errorf("operate: requeue: %w", err)
	}
	of, ran, err := d.review.Rerun(ctx, t, rows, review.BulkAction{
		By: o.By, Note: "requeued from the morgue", DryRun: o.DryRun, Anyway: o.Anyway, Whole: o.id,
	})
	if errors.Is(err, events.ErrClosed) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("operate: requeue: %w", err)
	}
	out.Add(of)
	out.Rows += len(ran)
	for _, b := range list { // the list may hold several copies of a job
		if slices.Contains(ran, b.env.Event) {
			b.state.Status, b.state.Back = events.Enqueue, true
		}
	}
	return nil
}

// inError returns the rows of the given jobs, if these rows have the status error. With Order.All
// it leaves out rows that a user has skipped or accepted.
func (d *Operator) inError(ctx context.Context, o Order, t *tasks.Task, list []*morgueJob) ([]events.Event, error) {
	seqs := make([]int64, len(list))
	for i, b := range list {
		seqs[i] = b.env.Event.Seq()
	}
	rows, err := d.events.Bad(ctx, t.Num, events.Filter{
		Statuses: []events.Status{events.Error}, Seqs: seqs, Limit: len(seqs),
	})
	return slices.DeleteFunc(rows, func(e events.Event) bool {
		return o.All && e.State().Left() // a user has skipped or accepted it
	}), err
}
