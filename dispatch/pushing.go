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

// batch holds the rows that one push carries, of claimed feeds in their order.
type batch struct {
	feeds []tasks.Feed
	rows  []events.Back // a job each
	read  []int64       // how far each feed was read; shorter than feeds if the page was full
}

// push pushes the next rows of claimed tasks. It returns how far each task has come
// and how many rows were pushed: with an error, those before the first row that
// Redis did not take, so that no later row is ever noted before it.
func (f *Feeder) push(ctx context.Context, grant tasks.Grant) (steps []tasks.Step, pushed int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, pushTimeout)
	defer cancel()
	begun, b := time.Now(), batch{feeds: grant.Feeds}
	if err := f.load(ctx, &b, int(grant.Room)); err != nil {
		return b.steps(0, false), 0, err
	}
	if err := f.attest(ctx, f.tasks.Witness()); err != nil {
		return b.steps(0, false), 0, err
	}
	first, marks := grant.Feeds[0], f.marks.Load()
	err = f.client.Push(ctx, b.jobs(marks.of(first.Tenant))...)
	taken, more := reached(len(b.rows), err)
	if err != nil {
		err = fmt.Errorf("dispatch: feed task %d: %w", first.Num, err)
	}
	f.opt.Fed(Fed{Kind: first.Kind, Jobs: b.tally(taken), Began: begun, Took: time.Since(begun)})
	failpoint.Hit("pushed")
	if fault := f.fedBack(ctx, marks, b.rows[:taken]); fault != nil {
		return b.steps(0, true), 0, errors.Join(err, fault)
	}
	return b.steps(taken, more), int64(taken), err
}

// load reads the next rows of the feeds.
func (f *Feeder) load(ctx context.Context, b *batch, room int) (err error) {
	ranges := make([]events.Range, len(b.feeds))
	for i, feed := range b.feeds {
		ranges[i] = f.rangeOf(feed)
	}
	b.rows, b.read, err = f.events.Pending(ctx, ranges, events.Page{Rows: room, Bytes: chunkBytes})
	if err == nil {
		f.pace.flow(b.feeds[0].Lane).bytes = meanBytes(b.rows)
	}
	return err
}

// reached returns how many of n jobs of a push that ended with err were taken before
// the first that was not, and whether Redis may have taken others behind that one.
func reached(n int, err error) (taken int, more bool) {
	if err == nil {
		return n, false
	}
	var refused *queue.PushError
	if !errors.As(err, &refused) {
		return 0, true
	}
	taken = refused.Items[0].Index
	return taken, len(refused.Items) < n-taken || errors.Is(err, queue.ErrUnanswered)
}

// jobs are the rows as the queue gets them. Rows that may have been pushed before are
// marked as redelivered: they ask the ledger before they run.
func (b *batch) jobs(mark string) []queue.Job {
	jobs, feeds := make([]queue.Job, len(b.rows)), map[int64]tasks.Feed{}
	for _, feed := range b.feeds {
		feeds[feed.Num] = feed
	}
	fresh := map[int64]int64{}
	for i := range b.rows {
		num := b.rows[i].ID.Num()
		feed, again := feeds[num], b.rows[i].Since >= 0
		if !again {
			fresh[num]++
		}
		own := mark
		if again || feed.Late {
			own = askFirst(mark)
		}
		jobs[i] = jobOf(feed, own, &b.rows[i].Event)
		jobs[i].Redelivered = again || feed.Again() || fresh[num] <= feed.Doubted
	}
	return jobs
}

// tally counts the first rows by the id of their task.
func (b *batch) tally(taken int) map[string]int {
	fresh, back := b.count(0, taken)
	out := map[string]int{}
	for _, feed := range b.feeds {
		if n := int(fresh[feed.Num] + back[feed.Num]); n > 0 {
			out[feed.TaskID] = n
		}
	}
	return out
}

// count counts the rows from low up to high by the number of their task; those that
// were resubmitted apart.
func (b *batch) count(low, high int) (fresh, back map[int64]int64) {
	fresh, back = map[int64]int64{}, map[int64]int64{}
	for i := low; i < high; i++ {
		of := fresh
		if b.rows[i].Since >= 0 {
			of = back
		}
		of[b.rows[i].ID.Num()]++
	}
	return fresh, back
}

// steps returns how far each feed has come when the first rows were taken, and Redis
// may have more of the others if so said.
func (b *batch) steps(taken int, more bool) []tasks.Step {
	pushed, _ := b.count(0, taken)
	rest, _ := b.count(taken, len(b.rows))
	out := make([]tasks.Step, len(b.feeds))
	for i, feed := range b.feeds {
		next, n := feed, pushed[feed.Num]
		if at, ok := b.position(i, taken); ok && feed.Again() {
			next.AgainFrom, n = at, 0
		} else if ok {
			next.Fed = at
		}
		out[i] = tasks.Step{Feed: next, Waited: n, Doubted: max(feed.Doubted-n, 0)}
		switch {
		case !feed.Again() && next.Fed == feed.Total: // rows that ended before they were noted count too
			out[i].Waited, out[i].Doubted = feed.Unfed, 0
		case more:
			out[i].Doubted = max(out[i].Doubted, rest[feed.Num])
		}
	}
	return out
}

// position returns the last seq of feed i that need not be read again when the first
// rows were taken; not ok if the feed stays where it is.
func (b *batch) position(i, taken int) (seq int64, ok bool) {
	if i >= len(b.read) {
		return 0, false
	}
	if taken == len(b.rows) {
		return b.read[i], true
	}
	stop := b.rows[taken].ID
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
