package feed_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/tasks"
)

// heldKeys adds a task of n keys, each with two rows. All of them are held, and Redis has none.
func (f *farm) heldKeys(n int64) *tasks.Task {
	f.t.Helper()
	f.feed()
	var keys []string
	for i := range n {
		keys = append(keys, times(2, fmt.Sprint("a", i))...)
	}
	task, ctx := f.rowsOfKeys(keys...), f.t.Context()
	list, err := lanes.New(f.Tasks).Lanes(ctx)
	f.fine(err)
	g, err := lanes.New(f.Tasks).ClaimLane(ctx, f.mark(), list[0].ID, time.Minute, func(h lanes.Heads) lanes.Pick {
		return lanes.Pick{Feeds: h.Next, Room: 2 * n}
	})
	f.fine(err)
	sh := lanes.Shift{Limit: 2}
	for i := range n {
		sh.In = append(sh.In, lanes.HeldGroup{Key: fmt.Sprint("a", i), Num: task.Num, Place: 1, Seqs: []int64{2*i + 1, 2*i + 2}})
	}
	feed := g.Feeds[0]
	feed.Fed = 2 * n
	f.fine(lanes.New(f.Tasks).AdvanceLane(ctx, g, []lanes.Step{{Feed: feed, Waited: 2 * n, Held: 2 * n}}, sh))
	return task
}

// resumes lets the rows of 140 keys continue, and checks that they fit into the window at first.
func (f *farm) resumes(resume func()) {
	f.t.Helper()
	feeder := feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, feed.Options{
		Window: 10_000, MinWindow: 64, Now: func() time.Time { return f.now },
	})
	feed := func() (keys int64) {
		f.fine(feeder.Feed(f.t.Context()))
		st, err := f.Queue.Stats(f.t.Context(), "k")
		f.fine(err)
		return st.Length
	}
	feed()
	resume()
	first := feed()
	if first > 100 || first < 32 {
		f.t.Errorf("%d keys are in Redis, want those of a window of 64", first)
	}
	f.now = f.now.Add(6 * time.Second)
	if next := feed(); next <= first || next > first+100 {
		f.t.Errorf("%d keys are in Redis after a while, want a few more than %d", next, first)
	}
}

// TestResume_ManyHeldKeys_KeepTheWindow resumes a task while Redis has no rows of its keys.
func TestResume_ManyHeldKeys_KeepTheWindow(t *testing.T) {
	on(t, func(f *farm) {
		task := f.heldKeys(140)
		f.fine(f.Tasks.Pause(f.t.Context(), "acme", task.ID))
		f.resumes(func() { f.fine(f.Tasks.Resume(f.t.Context(), "acme", task.ID)) })
		f.runsInOrder(280, "all keys", func(int) {})
	})
}

// TestTenantResume_ManyHeldKeys_KeepTheWindow resumes a tenant while Redis has no rows of its keys.
func TestTenantResume_ManyHeldKeys_KeepTheWindow(t *testing.T) {
	onBoth(t, func(f *farm) {
		f.heldKeys(140)
		f.pause("acme", true)
		f.resumes(func() { f.pause("acme", false) })
	})
}

// TestPause_KeysWithoutRowsInRedis_AreNotWanted feeds while all held rows belong to a paused task.
func TestPause_KeysWithoutRowsInRedis_AreNotWanted(t *testing.T) {
	on(t, func(f *farm) {
		task, _ := f.emptied()
		f.fine(f.Tasks.Pause(f.t.Context(), "acme", task.ID))
		f.feed()
		names, err := f.Queue.Wanted(f.t.Context(), "k", 100)
		f.fine(err)
		if len(names) > 0 {
			f.t.Errorf("%v are wanted, and no feeder can push them", names)
		}
	})
}
