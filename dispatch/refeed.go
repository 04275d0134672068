package dispatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// pushBack pushes resubmitted rows of a claimed task. They always ask the ledger before they
// run, so to push one twice does no harm. It notes those before the first that Redis did
// not take, and returns how many these are. Rows of a task that lie behind some that wait
// come with these.
func (f *Feeder) pushBack(ctx context.Context, grant tasks.Grant) (steps []tasks.Step, n int64, err error) {
	feed := grant.Feeds[0]
	n, doubted, err := f.pushRows(ctx, feed, grant.Room)
	step := tasks.Step{Feed: feed, Doubted: max(feed.Doubted, doubted)}
	if err == nil {
		step.Feed.Fed = feed.BackTo()
	}
	return []tasks.Step{step}, n, err
}

// pushRows pushes resubmitted rows. doubted is how many others Redis may have taken.
func (f *Feeder) pushRows(ctx context.Context, feed tasks.Feed, room int64) (n, doubted int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, pushTimeout)
	defer cancel()
	begun := time.Now()
	rows, err := f.events.Back(ctx, feed.Num, feed.BackTo(), int(room))
	if err != nil || len(rows) == 0 {
		return 0, 0, err
	}
	if err := f.attest(ctx, f.tasks.Witness()); err != nil {
		return 0, 0, err
	}
	marks := f.marks.Load()
	var jobs []queue.Job
	var at []int // the row of each job
	for i := range rows {
		if !rows[i].Gone {
			job := jobOf(feed, askFirst(marks.of(feed.Tenant)), &rows[i].Event)
			job.Redelivered = true
			jobs, at = append(jobs, job), append(at, i)
		}
	}
	err = f.client.Push(ctx, jobs...)
	taken, more := reached(len(jobs), err)
	if err != nil {
		rows = rows[:append(at, len(rows))[taken]]
		err = fmt.Errorf("dispatch: feed task %d once more: %w", feed.Num, err)
	}
	if more {
		doubted = int64(len(jobs) - taken)
	}
	f.opt.Fed(Fed{
		Kind: feed.Kind, Jobs: map[string]int{feed.TaskID: taken}, Began: begun, Took: time.Since(begun),
	})
	f.pace.flow(feed.Lane).back.note(rows)
	failpoint.Hit("refed")
	return int64(len(rows)), doubted, errors.Join(err, f.fedBack(ctx, marks, rows))
}

// fedBack notes those of the rows that were resubmitted as fed.
func (f *Feeder) fedBack(ctx context.Context, marks *marks, rows []events.Back) error {
	fed := map[int64][]tasks.Fed{}
	for i := range rows {
		if id := rows[i].ID; rows[i].Since >= 0 {
			fed[id.Num()] = append(fed[id.Num()], tasks.Fed{Seq: id.Seq(), Attempt: rows[i].Since})
		}
	}
	for num, list := range fed {
		if err := f.tasks.FedBack(ctx, num, marks.redis, list); err != nil {
			return err
		}
	}
	return nil
}
