package feed_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// diesAfterPush feeds until the feeder has pushed rows, and ends the feeder before it notes them.
func (f *farm) diesAfterPush(opt feed.Options) {
	f.t.Helper()
	ctx, die := context.WithCancel(f.t.Context())
	opt.OnPush = func(feed.Pushed) { die() }
	if err := feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, opt).Feed(ctx); err == nil {
		f.t.Fatal("the feeder noted what it pushed")
	}
	f.now = f.now.Add(time.Minute)
}

// asks checks that the jobs of these keys are marked as redelivered, so that workers read the
// ledger before they run them.
func (f *farm) asks(task *tasks.Task, from int64, keys ...string) {
	f.t.Helper()
	refs := make([]queue.Ref, len(keys))
	for i, key := range keys {
		id := events.NewID(task.Num, from+int64(i))
		refs[i] = queue.Ref{Key: "acme/" + key, Score: float64(id), Head: fmt.Sprintf("%016x", int64(id))}
	}
	places, err := f.Queue.Admin().Locate(f.t.Context(), "k", refs...)
	f.fine(err)
	for i, p := range places {
		if p.Waiting != 1 || !p.Redelivered {
			f.t.Errorf("the job of key %s is at %+v, want one that waits and asks", keys[i], p)
		}
	}
}

// TestFeed_DeathAfterAPushBehindHeldRows_AllOfItAsks has a feeder pass held rows of a key, push ten
// rows of other keys, and die.
func TestFeed_DeathAfterAPushBehindHeldRows_AllOfItAsks(t *testing.T) {
	on(t, func(f *farm) {
		f.rowsOfKeys(times(50, "a")...)
		f.feed()
		others := make([]string, 10)
		for i := range others {
			others[i] = fmt.Sprint("other", i)
		}
		task := f.rowsOfKeys(slices.Concat(times(60, "a"), others)...)
		f.diesAfterPush(feed.Options{Window: 1000, MinWindow: 12, Chunk: 200})
		f.feed()
		f.asks(task, 61, others...)
	})
}

// TestRelease_DeathAfterAPush_AllOfItAsks has a feeder push held rows and die.
func TestRelease_DeathAfterAPush_AllOfItAsks(t *testing.T) {
	onBoth(t, func(f *farm) {
		task := f.rowsOfKeys(times(50, "a")...)
		f.feed()
		n := int64(f.inRedis("a"))
		f.ack("acme/a")
		f.finish(task.Num, 1, n)
		f.diesAfterPush(feed.Options{Window: 100, MinWindow: 100, Chunk: 50})
		f.feed()
		f.asks(task, n+1, "a")
	})
}

// TestCancel_OfTheTaskWhoseGroupARowHasJoined_KeepsTheRow resubmits a row ahead of a group of held rows of
// a later task, which is canceled before the feeder notes it.
func TestCancel_OfTheTaskWhoseGroupARowHasJoined_KeepsTheRow(t *testing.T) {
	on(t, func(f *farm) {
		ctx := f.t.Context()
		f.keyed(4, 1, 2, 3, 4)
		second := f.keyed(60)
		f.feed()
		list, err := lanes.New(f.Tasks).Lanes(ctx)
		f.fine(err)
		groups, err := lanes.New(f.Tasks).Groups(ctx, list[0].ID, []string{"same"})
		f.fine(err)
		g, err := lanes.New(f.Tasks).ClaimLane(ctx, f.mark(), list[0].ID, time.Minute, func(lanes.Heads) lanes.Pick { return lanes.Pick{Held: true, Room: 9} })
		f.fine(err)
		f.resubmitInvalid(1, 2)
		f.cancel(second)
		row := lanes.HeldGroup{Key: "same", Place: groups[0].Place, Num: 1, Seqs: []int64{2}}
		feeds, err := lanes.New(f.Tasks).FeedsOf(ctx, []int64{1})
		f.fine(err)
		f.fine(lanes.New(f.Tasks).AdvanceLane(ctx, g, []lanes.Step{{Feed: feeds[1], Held: 1}}, lanes.Shift{
			Out: []lanes.GroupReplacement{{Group: groups[0], Rest: []lanes.HeldGroup{row, groups[0]}}}, Limit: 2,
		}))
		left, err := lanes.New(f.Tasks).Groups(ctx, list[0].ID, []string{"same"})
		if err != nil || len(left) != 1 || left[0].Num != 1 {
			f.t.Errorf("held: %+v, %v, want the row of the first task", left, err)
		}
	})
}
