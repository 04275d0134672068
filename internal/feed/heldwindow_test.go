package feed_test

import (
	"fmt"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/tasks"
)

// least feeds once with the smallest window.
func (f *farm) least() {
	f.t.Helper()
	opt := feed.Options{MinWindow: 64, Window: 1000, Chunk: 200}
	f.fine(feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, opt).Feed(f.t.Context()))
}

// pressed adds a task with n invalid rows of one key, which the feeder passes, and resubmits all of
// them.
func (f *farm) pressed(n int64) {
	f.t.Helper()
	bad := make([]int64, n)
	for i := range bad {
		bad[i] = int64(i) + 1
	}
	task := f.keyed(n, bad...)
	f.least()
	f.resubmitInvalid(task.Num, bad...)
}

// has checks that Redis has rows of the keys with the prefix `begin` and the numbers from 0 below
// `want`.
func (f *farm) has(begin string, want int) {
	f.t.Helper()
	n := 0
	for i := range want {
		if f.inRedis(fmt.Sprint(begin, i)) > 0 {
			n++
		}
	}
	if n != want {
		f.t.Errorf("Redis has %d keys %s, want %d", n, begin, want)
	}
}

// TestFeed_KeysThatWaitForARetry_LeaveRoomForOthers fills the room with keys whose first rows wait
// for a retry.
func TestFeed_KeysThatWaitForARetry_LeaveRoomForOthers(t *testing.T) {
	on(t, func(f *farm) {
		var keys []string
		for i := range 70 {
			keys = append(keys, times(5, fmt.Sprint("slow", i))...)
		}
		task := f.rowsOfKeys(keys...)
		f.task(30)
		f.least()
		var moves []events.Move
		for i := range 70 {
			moves = append(moves, events.Move{
				ID: events.NewID(task.Num, int64(5*i)+1), From: events.Enqueue, To: events.Enqueue, Attempt: 1,
				NextRunAt: f.now.UnixMilli() + 1e6, Failure: &events.Failure{Code: "X"},
			})
		}
		_, err := f.Events.Record(f.t.Context(), moves)
		f.fine(err)
		f.least()
		f.has("", 30)
	})
}

// TestRefeed_ManyRowsOfASlowKey_LeaveRoomForOthers resubmits more rows of one key than the window
// has, in front of other rows.
func TestRefeed_ManyRowsOfASlowKey_LeaveRoomForOthers(t *testing.T) {
	on(t, func(f *farm) {
		rows := testenv.Size(200, 600)
		f.pressed(int64(rows))
		f.task(30)
		f.least()
		f.has("", 30)
		if n := f.inRedis("same"); n > 2+lanes.GroupRows {
			f.t.Errorf("Redis has %d rows of the slow key, want a group and few more", n)
		}
		r := ran{strict: true}
		defer f.work(&r, 0)()
		f.drain("resubmitted rows", func(int) {})
		if n := r.ordered(f.t); n != rows+30 {
			f.t.Errorf("%d rows ran, want %d", n, rows+30)
		}
	})
}

// TestRelease_LaneWithoutSlots_HidesNoOther has 60 wanted keys of a tenant without a free slot,
// ahead of a key of another tenant.
func TestRelease_LaneWithoutSlots_HidesNoOther(t *testing.T) {
	on(t, func(f *farm) {
		var keys []string
		for i := range 60 {
			keys = append(keys, times(4, fmt.Sprint("a", i))...)
		}
		f.rowsOfKeys(keys...)
		opt := feed.Options{MinWindow: 100, Window: 1000}
		feeder := feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, opt)
		feed := func() { f.t.Helper(); f.fine(feeder.Feed(f.t.Context())) }
		f.AddOf(f.t, "globex", "k", drafts(times(80, "b"))...)
		feed()
		if n := f.inRedis("a59"); n != 3 {
			f.t.Fatalf("%d rows of the last key are in Redis, want 3 of 4", n)
		}
		f.fine(f.Tasks.SetLimits(f.t.Context(), "acme", tasks.Limits{Slots: 1}))
		for i := range 60 {
			f.ack(fmt.Sprint("acme/a", i))
		}
		f.ack("globex/b")
		feed()
		feed()
		if st, err := f.Queue.Stats(f.t.Context(), "k"); err != nil || st.Length != 1 {
			f.t.Errorf("%d keys in Redis, %v, want that of the other tenant", st.Length, err)
		}
	})
}
