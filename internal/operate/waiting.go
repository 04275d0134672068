package operate

import (
	"context"
	"fmt"
	"strconv"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/queue"
)

// PerformNow makes keys with a later run time due immediately. This includes keys that wait for a retry.
// The ledger shows the old time until the rows run.
func (d *Operator) PerformNow(ctx context.Context, o Order) (Result, error) {
	return d.perform(ctx, o, work{
		list:  d.admin.Waiting,
		query: queue.Query{By: queue.ByRunAt, Min: strconv.FormatInt(d.now().UnixMilli()+1, 10)},
		fits:  func(s queue.KeySummary) bool { return s.Later },
		do: o.counted(func(keys []string) (int, error) {
			n, err := d.admin.PerformNow(ctx, o.Queue, keys...)
			return n, queueErr(err)
		}),
	})
}

// KillFailed moves keys that wait for a retry to the morgue, with all their jobs. The rows end in error.
func (d *Operator) KillFailed(ctx context.Context, o Order) (Result, error) {
	return d.drop(ctx, o, removal{hasFailed, d.admin.KillFailed, d.admin.KillFailed, d.killed})
}

// DeleteFailed deletes keys that wait for a retry, with all their jobs. The rows end as canceled.
func (d *Operator) DeleteFailed(ctx context.Context, o Order) (Result, error) {
	return d.drop(ctx, o, removal{hasFailed, d.admin.KillFailed, d.admin.DeleteFailed, d.deleted})
}

// Kill moves named waiting keys to the morgue like KillFailed, even if they do not wait for a retry. It
// returns ErrOrder for an order with All.
func (d *Operator) Kill(ctx context.Context, o Order) (Result, error) {
	if o.All {
		return Result{}, ErrOrder
	}
	return d.drop(ctx, o, removal{waits, d.admin.Kill, d.admin.Kill, d.killed})
}

// Delete deletes named waiting keys like DeleteFailed, even if they do not wait for a retry. It returns
// ErrOrder for an order with All.
func (d *Operator) Delete(ctx context.Context, o Order) (Result, error) {
	if o.All {
		return Result{}, ErrOrder
	}
	return d.drop(ctx, o, removal{waits, d.admin.Kill, d.admin.Delete, d.deleted})
}

func hasFailed(s queue.KeySummary) bool { return s.Failed }

func waits(s queue.KeySummary) bool { return s.Waiting }

// adminAction is a method of queue.Admin that changes named keys.
type adminAction func(ctx context.Context, queue string, keys ...string) (int, error)

// removal holds the functions with which an action removes waiting keys.
type removal struct {
	fits     func(queue.KeySummary) bool
	toMorgue adminAction // for tracked keys: moves them to the morgue, so that no job runs or is lost before its end is recorded
	end      adminAction // for keys of an untracked kind
	moved    func(o Order, b *morgueJob) events.Move
}

// drop removes the keys of an order as the argument `how` describes, and records the end of their rows.
func (d *Operator) drop(ctx context.Context, o Order, how removal) (Result, error) {
	return d.perform(ctx, o, work{
		list: d.admin.Waiting, query: queue.Query{By: queue.ByRetryCount, Min: "0"}, fits: how.fits,
		do: o.counted(func(keys []string) (int, error) {
			if !o.tracked(d.kinds) {
				n, err := how.end(ctx, o.Queue, keys...)
				return n, queueErr(err)
			}
			n, err := how.toMorgue(ctx, o.Queue, keys...)
			if err != nil {
				return n, queueErr(err)
			}
			return n, d.recordRemoved(ctx, o, keys, how.moved)
		}),
	})
}

// recordRemoved records the end of jobs that the action has moved to the morgue. It then removes deleted
// jobs from the morgue.
func (d *Operator) recordRemoved(
	ctx context.Context, o Order, keys []string, move func(o Order, b *morgueJob) events.Move,
) error {
	return d.morgueJobs(ctx, o, keys, func(list []*morgueJob) error {
		var moves []events.Move
		for _, b := range list {
			if b.waited() {
				moves = append(moves, move(o, b))
			}
		}
		if _, err := d.events.Record(ctx, moves); err != nil {
			return fmt.Errorf("operate: record removed jobs of %s: %w", o.Queue, err)
		}
		if len(moves) == 0 || moves[0].To != events.Canceled {
			return nil
		}
		return d.removeFromMorgue(ctx, o, list, (*morgueJob).waited)
	})
}

func (d *Operator) killed(o Order, b *morgueJob) events.Move {
	m := d.ended(o, b, events.Error, "kill", "moved to the morgue by ")
	m.Failure = rowschema.System(jobs.CodeKilled, "killed", "")
	return m
}

func (d *Operator) deleted(o Order, b *morgueJob) events.Move {
	return d.ended(o, b, events.Canceled, "delete", "deleted from the queue by ")
}

func (d *Operator) ended(o Order, b *morgueJob, to events.Status, act, text string) events.Move {
	now := d.now().UnixMilli()
	return events.Move{
		ID: b.env.Event, TaskID: b.env.TaskID, Row: b.env.Row, From: b.state.Status, FromAttempt: b.state.Attempt,
		To: to, Attempt: b.state.Attempt, FinishedAt: now,
		Notes: []events.Note{{
			At: now, Attempt: b.state.Attempt, Status: to, Text: text + o.By, Act: act, By: o.By,
		}},
	}
}
