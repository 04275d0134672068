package dispatch

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// refeed pushes rows that were resubmitted. They come before all others of their
// lanes, which are left out of what it returns for as long as some wait: so a
// row stays before those of its key that wait still. They always ask the
// ledger before they run, so to push one twice does no harm.
func (f *Feeder) refeed(ctx context.Context, feeds []tasks.Feed) (rest []tasks.Feed, pushed int64, err error) {
	held := map[lane]bool{}
	inRedis := map[lane]int64{}
	for _, feed := range feeds {
		inRedis[laneOf(feed)] += max(feed.InRedis, 0)
	}
	var faults []error
	for _, feed := range feeds {
		of := laneOf(feed)
		if feed.Back == 0 || feed.Again() || !feeding(feed.Status) {
			continue
		}
		held[of] = true
		room := min(f.opt.Chunk, f.pace.most(f.pace.flow(of))-inRedis[of])
		if room <= 0 {
			continue
		}
		n, err := f.feedBack(ctx, feed, room)
		faults = append(faults, err)
		inRedis[of] += n
		pushed += n
	}
	rest = slices.DeleteFunc(feeds, func(feed tasks.Feed) bool {
		return held[laneOf(feed)] && !feed.Again()
	})
	return rest, pushed, errors.Join(faults...)
}

// feedBack pushes the next resubmitted rows of one task, under its claim, which
// has its tenant's slots.
func (f *Feeder) feedBack(ctx context.Context, feed tasks.Feed, room int64) (int64, error) {
	grant, err := f.tasks.ClaimFeeds(ctx, []tasks.Feed{feed}, room, claimTTL)
	if err != nil || len(grant.Feeds) == 0 {
		return 0, f.owe(grant, err)
	}
	n, err := f.pushBack(ctx, feed, grant.Room)
	if err != nil {
		return 0, errors.Join(err, f.owe(grant, f.doubt(ctx, grant)))
	}
	step := tasks.Step{Feed: feed, Doubt: feed.ClaimedUntil != 0}
	err = f.tasks.AdvanceFeeds(ctx, grant.Claim, []tasks.Step{step})
	if err != nil && !errors.Is(err, tasks.ErrClaimLost) {
		return n, f.owe(grant, err)
	}
	return n, nil
}

func (f *Feeder) pushBack(ctx context.Context, feed tasks.Feed, room int64) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, pushTimeout)
	defer cancel()
	rows, err := f.events.Back(ctx, feed.Num, int(room))
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	marks := f.marks.Load()
	jobs, fed := []queue.Job(nil), make([]tasks.Fed, len(rows))
	for i := range rows {
		fed[i] = tasks.Fed{Seq: rows[i].ID.Seq(), Attempt: rows[i].Since}
		if !rows[i].Gone {
			job := jobOf(feed, marks.of(feed.Tenant), &rows[i].Event)
			job.Redelivered = true
			jobs = append(jobs, job)
		}
	}
	if err := f.client.Push(ctx, jobs...); err != nil {
		return 0, fmt.Errorf("dispatch: feed task %d once more: %w", feed.Num, err)
	}
	failpoint.Hit("refed")
	return int64(len(rows)), f.tasks.FedBack(ctx, feed.Num, marks.redis, fed)
}
