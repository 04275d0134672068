package operate

import (
	"context"
	"fmt"
	"strconv"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// PerformAll makes the keys due that wait for later, retries too, and returns
// how many. The ledger goes on telling when they would have run, until they do.
func (d *Desk) PerformAll(ctx context.Context, o Order) (int, error) {
	later := queue.Query{By: queue.ByRunAt, Min: strconv.FormatInt(d.now().UnixMilli()+1, 10)}
	return o.pages(ctx, d.admin.Waiting, later, func(keys []string) (int, error) {
		n, err := d.admin.PerformNow(ctx, o.Queue, keys...)
		return n, queueErr(err)
	})
}

// failed are the keys that wait because their first job has failed.
var failed = queue.Query{By: queue.ByRetryCount, Min: "0"}

// KillFailed moves the keys that wait for a retry to the morgue, with all their
// jobs, and returns how many. The rows end as errors.
func (d *Desk) KillFailed(ctx context.Context, o Order) (int, error) {
	return o.pages(ctx, d.admin.Waiting, failed, func(keys []string) (int, error) {
		n, err := d.admin.Kill(ctx, o.Queue, keys...)
		if err != nil || !o.tracked(d.kinds) {
			return n, queueErr(err)
		}
		return n, d.settle(ctx, o, keys, d.killed)
	})
}

// DeleteFailed deletes the keys that wait for a retry, with all their jobs, and
// returns how many. The rows end as canceled.
func (d *Desk) DeleteFailed(ctx context.Context, o Order) (int, error) {
	return o.pages(ctx, d.admin.Waiting, failed, func(keys []string) (int, error) {
		if !o.tracked(d.kinds) {
			n, err := d.admin.Delete(ctx, o.Queue, keys...)
			return n, queueErr(err)
		}
		// By way of the morgue: there, nothing runs before the ledger knows, nor
		// is lost if it never does.
		n, err := d.admin.Kill(ctx, o.Queue, keys...)
		if err != nil {
			return n, queueErr(err)
		}
		return n, d.settle(ctx, o, keys, d.deleted)
	})
}

// settle tells the ledger what became of jobs that are in the morgue, and waited
// until now.
func (d *Desk) settle(
	ctx context.Context, o Order, keys []string, move func(o Order, b *body) events.Move,
) error {
	return d.bodies(ctx, o, keys, func(list []*body) error {
		var moves []events.Move
		for _, b := range list {
			if b.waited() {
				moves = append(moves, move(o, b))
			}
		}
		if _, err := d.events.Record(ctx, moves); err != nil {
			return fmt.Errorf("operate: settle %s: %w", o.Queue, err)
		}
		if len(moves) == 0 || moves[0].To != events.Canceled {
			return nil
		}
		return d.bury(ctx, o, list, (*body).waited)
	})
}

func (d *Desk) killed(o Order, b *body) events.Move {
	m := d.ended(o, b, events.Error, "moved to the morgue by ")
	m.Attempt = max(b.state.Attempt, 1)
	m.Failure = worker.SystemFailure(worker.CodeKilled, "killed", "")
	return m
}

func (d *Desk) deleted(o Order, b *body) events.Move {
	return d.ended(o, b, events.Canceled, "deleted from the queue by ")
}

func (d *Desk) ended(o Order, b *body, to events.Status, text string) events.Move {
	now := d.now().UnixMilli()
	return events.Move{
		ID: b.env.Event, Row: b.env.Row, From: b.state.Status, FromAttempt: b.state.Attempt,
		To: to, Attempt: b.state.Attempt, FinishedAt: now,
		Notes: []events.Note{{At: now, Attempt: b.state.Attempt, Status: to, Text: text + o.By}},
	}
}
