package reconcile

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// errLaneBusy means that the lane of a task could not be claimed in claimTries tries.
var errLaneBusy = errors.New("a feeder kept the lane of the task: repeat the request")

// withdraw cancels rows of a task under a claim of its lane, so that no feeder pushes them meanwhile. If
// `checked` is false, it collects the rows in Redis instead of canceling them. Rows that workers have fetched
// stay unchanged. If the task is done, withdraw is a no-op.
func (c *RowCanceler) withdraw(ctx context.Context, at *rowsOfTask, rows []events.Event, by string, checked bool) error {
	for range claimTries {
		g, done, err := c.lanes.ClaimTask(ctx, at.task.Num, cancelTTL)
		if err != nil || done {
			return err
		}
		if g.None() {
			if periodic.Pause(ctx, claimPause); ctx.Err() != nil {
				return ctx.Err()
			}
			continue
		}
		w := withdrawing{rowsOfTask: at, feed: g.Feeds[0], by: by, checked: checked}
		err = c.withdrawClaimed(ctx, g, &w, rows)
		if errors.Is(err, tasks.ErrClaimLost) { // Redis was emptied, or this process was suspended
			continue
		}
		return err
	}
	return fmt.Errorf("reconcile: task %d: %w", at.task.Num, errLaneBusy)
}

// withdrawing is the state of a call of withdraw while it has the claim.
type withdrawing struct {
	*rowsOfTask
	feed     lanes.Feed
	by       string
	checked  bool // workers check the rows before they run them
	pushed   []events.ID
	rows     []events.Event // to be canceled
	unfed    map[events.ID]bool
	groups   []lanes.HeldGroup
	canceled int64
}

func (c *RowCanceler) withdrawClaimed(ctx context.Context, g lanes.LaneClaim, w *withdrawing, rows []events.Event) error {
	err := c.separate(ctx, g, w, rows)
	if err == nil {
		failpoint.Hit("withdrawing")
		err = c.lanes.Withdraw(ctx, g, func(tx ledger.Tx) (lanes.Step, lanes.Shift, error) { return c.end(ctx, tx, w) })
	} else {
		err = errors.Join(err, c.release(ctx, g, w))
	}
	if err != nil {
		return err
	}
	w.rowsOfTask.pushed, w.out.Canceled = w.pushed, w.out.Canceled+w.canceled
	if !w.checked {
		return nil
	}
	if err := c.makeDue(ctx, w.cancel(), w.rows); err != nil {
		return fmt.Errorf("reconcile: the rows are canceled, but later rows of their keys wait until the time of the retry: %w", err)
	}
	return nil
}

// cancel returns the task as a tasks.Cancel, which the methods of Canceler take.
func (w *withdrawing) cancel() tasks.Cancel {
	return tasks.Cancel{Num: w.task.Num, TaskID: w.task.ID, Tenant: w.task.Tenant, Kind: w.task.Kind}
}

// release releases a claim after an error, even if ctx has ended.
func (c *RowCanceler) release(ctx context.Context, g lanes.LaneClaim, w *withdrawing) error {
	ctx, cancel := ledger.ReleaseContext(ctx)
	defer cancel()
	return c.lanes.Withdraw(ctx, g, func(ledger.Tx) (lanes.Step, lanes.Shift, error) { return w.step(nil), lanes.Shift{}, nil })
}

// separate decides which rows can be canceled now: rows that wait only in the ledger, and rows in Redis that
// workers check and that no worker has fetched. It leaves out rows that have changed.
func (c *RowCanceler) separate(ctx context.Context, g lanes.LaneClaim, w *withdrawing, rows []events.Event) error {
	ids, refs := make([]events.ID, len(rows)), make([]queue.Ref, len(rows))
	for i := range rows {
		ids[i], refs[i] = rows[i].ID, refOf(lanes.Feed{Tenant: w.task.Tenant, TaskID: w.task.ID}, &rows[i])
	}
	states, err := c.events.Feeding(ctx, ids)
	if err != nil {
		return err
	}
	places, err := c.client.Admin().Locate(ctx, w.task.Kind, refs...)
	if err != nil {
		return err
	}
	held, err := c.heldRows(ctx, g, w, rows)
	if err != nil {
		return err
	}
	w.pushed, w.unfed = w.rowsOfTask.pushed, map[events.ID]bool{}
	for i := range rows {
		e, st := rows[i], states[rows[i].ID]
		unfed := e.ID.Seq() > w.feed.Fed && !st.Resubmitted && !held[e.ID]
		inLedger := places[i].Waiting == 0 && (unfed || held[e.ID] || st.Back)
		switch {
		case st.Status != events.Enqueue || st.Attempt != e.Attempt || places[i].Busy > 0:
		case w.checked || inLedger:
			w.rows, w.unfed[e.ID] = append(w.rows, e), unfed
		default:
			w.pushed = append(w.pushed, e.ID)
		}
	}
	return nil
}

// heldRows returns which of the rows are held. It stores the HeldGroups of these rows in w.groups.
func (c *RowCanceler) heldRows(ctx context.Context, g lanes.LaneClaim, w *withdrawing, rows []events.Event) (map[events.ID]bool, error) {
	var keys []string
	for i := range rows {
		if key := feed.HeldKey(&rows[i], w.task.ID); key != "" {
			keys = append(keys, key)
		}
	}
	if !g.HasHeld || len(keys) == 0 {
		return nil, nil
	}
	slices.Sort(keys)
	var err error
	w.groups, err = c.lanes.GroupsWithin(ctx, w.feed, slices.Compact(keys), rows[0].ID.Seq(), rows[len(rows)-1].ID.Seq())
	return feed.RowIDs(w.groups), err
}

// end cancels the rows, and returns the changes to the feed of their task.
func (c *RowCanceler) end(ctx context.Context, tx ledger.Tx, w *withdrawing) (lanes.Step, lanes.Shift, error) {
	if len(w.rows) == 0 {
		return w.step(nil), lanes.Shift{}, nil
	}
	done, err := c.events.Withdraw(ctx, tx, w.task.Num, w.rows, w.by)
	if err != nil {
		return lanes.Step{}, lanes.Shift{}, err
	}
	w.canceled = int64(len(done.IDs))
	step, shift := w.step(done.IDs), lanes.Shift{Due: map[string]int64{}}
	for _, group := range w.groups {
		out := group
		group.Seqs = slices.DeleteFunc(slices.Clone(group.Seqs), func(seq int64) bool { return done.IDs[events.NewID(group.Num, seq)] })
		gone := len(out.Seqs) - len(group.Seqs)
		if gone == 0 {
			continue
		}
		step.Held -= int64(gone)
		shift.Due[group.Key] = lanes.Reread
		change := lanes.GroupReplacement{Group: out}
		if len(group.Seqs) > 0 {
			change.Rest = []lanes.HeldGroup{group}
		}
		shift.Out = append(shift.Out, change)
	}
	return step, shift, nil
}

// step returns the change to the feed of the task after the given rows are canceled.
func (w *withdrawing) step(gone map[events.ID]bool) lanes.Step {
	step := lanes.Step{Feed: w.feed, Doubted: w.feed.Doubted}
	for id := range gone {
		if w.unfed[id] {
			step.Waited++
		}
	}
	return step
}
