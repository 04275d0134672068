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

// refeed pushes rows that were resubmitted, in the order of feeding: behind the
// tasks of their lane that have rows to push before them, and before all others,
// which are left out of what it returns for as long as some wait. So a row stays
// between those of its key that wait still. Rows of a task that lie behind some
// that wait come with these. They always ask the ledger before they run, so to push
// one twice does no harm.
func (f *Feeder) refeed(ctx context.Context, feeds []tasks.Feed) (rest []tasks.Feed, pushed int64, err error) {
	held, behind := map[lane]bool{}, map[lane]bool{}
	inRedis := map[lane]int64{}
	for _, feed := range feeds {
		inRedis[laneOf(feed)] += max(feed.InRedis, 0)
	}
	var faults []error
	for _, feed := range feeds {
		of := laneOf(feed)
		switch {
		case feed.Again():
			rest, behind[of] = append(rest, feed), true
			continue
		case held[of]:
			continue
		case !feeding(feed) || feed.BackTo() == 0:
			rest = append(rest, feed)
			behind[of] = behind[of] || holdsUp(feed)
			continue
		}
		held[of] = true
		if behind[of] {
			continue
		}
		n, err := f.feedBack(ctx, feed, f.pace.most(f.pace.flow(of))-inRedis[of])
		faults = append(faults, err)
		inRedis[of] += n
		pushed += n
	}
	return rest, pushed, errors.Join(faults...)
}

// holdsUp tells that rows of later tasks of the lane have to wait for those of a
// task.
func holdsUp(f tasks.Feed) bool {
	return feeding(f) && (f.Unfed > 0 || f.Status != tasks.Open && !f.TotalIsFinal)
}

// feedBack pushes the next resubmitted rows of one task, at most so many, under its
// claim, which has its tenant's slots.
func (f *Feeder) feedBack(ctx context.Context, feed tasks.Feed, most int64) (int64, error) {
	room, err := f.backRoom(ctx, feed)
	if room = min(room, f.opt.Chunk, most); err != nil || room <= 0 {
		return 0, err
	}
	grant, err := f.tasks.ClaimFeeds(ctx, []tasks.Feed{feed}, room, claimTTL)
	if err != nil || len(grant.Feeds) == 0 {
		return 0, f.owe(grant, err)
	}
	n, doubted, fault := f.pushBack(ctx, feed, grant.Room)
	step := tasks.Step{Feed: feed, Doubted: max(feed.Doubted, doubted)}
	if fault == nil {
		step.Feed.Fed = feed.BackTo()
	}
	err = f.tasks.AdvanceFeeds(ctx, grant.Claim, []tasks.Step{step})
	if err != nil && !errors.Is(err, tasks.ErrClaimLost) {
		return n, errors.Join(fault, f.owe(grant, err))
	}
	return n, fault
}

// pushBack pushes resubmitted rows and notes those before the first that Redis did
// not take. It returns how many these are, and how many others Redis may have taken.
func (f *Feeder) pushBack(ctx context.Context, feed tasks.Feed, room int64) (n, doubted int64, err error) {
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
	f.pace.flow(laneOf(feed)).back.note(rows)
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
