package feed

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/pending"
	"github.com/rollcall-dev/rollcall/queue"
)

// pushResubmitted pushes resubmitted rows of a claimed task. The method push handles resubmitted rows
// that follow rows of the task that were never pushed. pushResubmitted holds a row that is delayed and
// not due, or that comes after held rows of its key. It also holds a row if its key is full in Redis. If
// Redis refuses a row for another reason, pushResubmitted records only the rows before it. A second push
// of the same row does no harm, because workers read the state of a resubmitted row before they run it.
func (f *Feeder) pushResubmitted(ctx context.Context, claim lanes.LaneClaim) (stepResult, error) {
	ctx, cancel := context.WithTimeout(ctx, pushTimeout)
	defer cancel()
	feed := claim.Feeds[0]
	n := stepResult{steps: []lanes.Step{{Feed: feed, Doubted: feed.Doubted}}}
	begun := time.Now()
	rows, err := f.pending.Resubmitted(ctx, feed.Num, feed.ResubmittedTo(), int(claim.Room))
	if err == nil && len(rows) > 0 {
		err = f.attest(ctx, f.tasks.Witness())
	}
	if err != nil {
		return n, err
	}
	named := batch{feeds: claim.Feeds, rows: rows}
	named.nameDelayed()
	groups, err := f.groupsOf(ctx, claim, rows)
	if err != nil {
		return n, err
	}
	held := behind(groups, rows)
	delayed := f.holdDelayed(rows, held)
	marks := f.generation.Load()
	jobs, at := f.resubmittedJobs(feed, marks.markFor(feed.Tenant), rows, held)
	err = f.client.Push(ctx, jobs...)
	full, stop, more := refusals(len(jobs), err)
	for _, i := range full {
		held[rows[at[i]].ID] = true
	}
	if stop == len(jobs) {
		err = nil
	}
	if err != nil {
		rows = rows[:at[stop]]
		err = fmt.Errorf("feed: task %d once more: %w", feed.Num, err)
	}
	if more {
		n.steps[0].Doubted = max(feed.Doubted, int64(len(jobs)-stop))
	}
	f.opt.OnPush(Pushed{
		Kind: feed.Kind, Jobs: map[string]int{feed.TaskID: stop - len(full)}, Began: begun, Took: time.Since(begun),
	})
	put := slices.Clone(rows)
	put = slices.DeleteFunc(put, func(r pending.Row) bool { return r.Gone || !held[r.ID] })
	rows = slices.DeleteFunc(rows, func(r pending.Row) bool { return !r.Gone && held[r.ID] })
	f.windows.lane(feed.Lane).back.add(rows)
	failpoint.Hit("refed")
	if err == nil {
		n.steps[0].Feed.Fed = feed.ResubmittedTo()
	}
	n.pushed = int64(len(rows) + len(put))
	if err := errors.Join(err, f.noteResubmitted(ctx, marks, slices.Values(rows))); err != nil || len(put) == 0 {
		return n, err
	}
	n.shift.Redis, n.shift.Delayed = marks.redis, delayed
	f.holdResubmitted(claim, groups, put, &n)
	return n, nil
}

// groupsOf returns the HeldGroups whose keys occur in `rows`.
func (f *Feeder) groupsOf(ctx context.Context, claim lanes.LaneClaim, rows []pending.Row) ([]lanes.HeldGroup, error) {
	if !claim.HasHeld || len(rows) == 0 {
		return nil, nil
	}
	b := batch{rows: rows}
	return f.lanes.Groups(ctx, claim.Lane, b.keys())
}

// resubmittedJobs returns the jobs of the resubmitted rows that are not held, and the index of each
// job's row. It leaves out rows whose field Gone is true, because they need no push.
func (f *Feeder) resubmittedJobs(
	feed lanes.Feed, mark string, rows []pending.Row, held map[events.ID]bool,
) (jobs []queue.Job, at []int) {
	limit := f.windows.resubmittedKeyLimit(f.windows.lane(feed.Lane))
	for i := range rows {
		if !rows[i].Gone && !held[rows[i].ID] {
			job := withLimit(JobOf(feed, AskFirst(mark), &rows[i].Event), &rows[i].Event, limit)
			job.Redelivered = true
			jobs, at = append(jobs, job), append(at, i)
		}
	}
	return jobs, at
}

// noteResubmitted records in the ledger that the resubmitted rows among `rows` no longer wait for a push.
// They were pushed, are held, or need no push.
func (f *Feeder) noteResubmitted(ctx context.Context, marks *generation, rows iter.Seq[pending.Row]) error {
	fed := map[int64][]lanes.Pushed{}
	for row := range rows {
		if row.Since >= 0 {
			fed[row.ID.Num()] = append(fed[row.ID.Num()], lanes.Pushed{Seq: row.ID.Seq(), Attempt: row.Since})
		}
	}
	for num, list := range fed {
		if err := f.lanes.NotePushed(ctx, num, marks.redis, list); err != nil {
			return err
		}
	}
	return nil
}
