package feed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/pending"
)

// stepResult is the result of a step of a lane, to be recorded in the ledger.
type stepResult struct {
	steps  []lanes.Step
	shift  lanes.Shift
	pushed int64          // rows
	keys   map[string]int // keys to be reported to Redis, with the limits of their remaining rows
}

// push pushes the next rows of claimed tasks, and returns the progress of each task. A row is held
// if it is delayed and not due, if its key has held rows, or if its key is full in Redis. If Redis
// refuses a row for another reason, the progress ends before this row: rows are recorded in order.
func (f *Feeder) push(ctx context.Context, claim lanes.LaneClaim) (stepResult, error) {
	ctx, cancel := context.WithTimeout(ctx, pushTimeout)
	defer cancel()
	begun, b := time.Now(), batch{feeds: claim.Feeds}
	if err := f.load(ctx, &b, claim); err != nil {
		b.done = 0
		return b.result(false), err
	}
	if err := f.attest(ctx, f.tasks.Witness()); err != nil {
		b.done = 0
		return b.result(false), err
	}
	first, marks := claim.Feeds[0], f.generation.Load()
	fl := f.windows.lane(claim.Lane)
	b.limit, b.resubmittedKeyLimit = f.windows.limit(fl), f.windows.resubmittedKeyLimit(fl)
	jobs, at := b.jobs(marks.markFor(first.Tenant))
	more, err := b.take(jobs, at, f.client.Push(ctx, jobs...))
	b.dropRefused()
	if err != nil {
		err = fmt.Errorf("feed: task %d: %w", first.Num, err)
	}
	f.opt.OnPush(Pushed{Kind: first.Kind, Jobs: b.pushedByTask(), Began: begun, Took: time.Since(begun)})
	failpoint.Hit("pushed")
	if fault := f.noteResubmitted(ctx, marks, b.pushed()); fault != nil {
		b.done, more = 0, true
		err = errors.Join(err, fault)
	}
	n := b.result(more)
	n.shift.Redis = marks.redis
	return n, err
}

// load reads the next rows of the feeds. If the lane has held rows, load reads a whole chunk,
// because rows of keys with held rows take no room.
func (f *Feeder) load(ctx context.Context, b *batch, claim lanes.LaneClaim) (err error) {
	ranges := make([]events.Range, len(b.feeds))
	for i, feed := range b.feeds {
		ranges[i] = f.rangeOf(feed)
	}
	room := claim.Room
	if claim.HasHeld {
		room = max(room, f.opt.Chunk)
	}
	b.rows, b.read, err = f.pending.Pending(ctx, ranges, pending.Page{Rows: int(room), Bytes: chunkBytes})
	if err != nil {
		return err
	}
	f.windows.lane(claim.Lane).bytes = meanBytes(b.rows)
	b.held, b.done, b.now = make([]bool, len(b.rows)), len(b.rows), f.lanes.Now()
	b.nameDelayed()
	if b.feeds[0].NeedsRepush() {
		return f.loadReplay(ctx, b, claim)
	}
	keys := map[string]bool{}
	if claim.HasHeld && len(b.rows) > 0 {
		keys, err = f.lanes.HeldKeys(ctx, claim.Lane, b.keys())
	}
	b.hold(keys, claim.Room)
	return err
}

// position returns the new position of feed `i`: the last seq that need not be read again once
// b.done rows are recorded. The result `ok` is false if the feed was not read, or if the batch stopped
// at a row of an earlier feed.
func (b *batch) position(i int) (seq int64, ok bool) {
	if i >= len(b.read) {
		return 0, false
	}
	if b.done == len(b.rows) {
		return b.read[i], true
	}
	stop := b.rows[b.done].ID
	for k, feed := range b.feeds {
		if feed.Num == stop.Num() {
			return min(b.read[i], stop.Seq()-1), i == k
		}
		if i == k {
			return b.read[i], true
		}
	}
	return 0, false
}
