package feed_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/pending"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// backlog adds n tasks of one row each.
func (f *farm) backlog(n int) {
	f.t.Helper()
	for i := range n {
		f.rowsOfKeys(fmt.Sprintf("%04d", i))
	}
}

// claim takes the lane of kind k of tenant acme, to push up to room rows of its first n tasks.
func (f *farm) claim(n int, room int64, ttl time.Duration) lanes.LaneClaim {
	f.t.Helper()
	return f.claimOf("k", n, room, ttl)
}

func (f *farm) claimOf(kind string, n int, room int64, ttl time.Duration) lanes.LaneClaim {
	f.t.Helper()
	_, err := lanes.New(f.Tasks).Lanes(f.t.Context())
	f.fine(err)
	var lane int64
	f.fine(f.DB.Read.Raw("SELECT id FROM rollcall.lanes WHERE tenant = 'acme' AND kind = ?", kind).Scan(&lane).Error)
	claim, err := lanes.New(f.Tasks).ClaimLane(f.t.Context(), f.mark(), lane, ttl, func(h lanes.Heads) lanes.Pick {
		return lanes.Pick{Feeds: h.Next[:min(n, len(h.Next))], Room: min(room, h.Left)}
	})
	f.fine(err)
	return claim
}

// fedTasks returns the numbers of the tasks of which all rows were pushed.
func (f *farm) fedTasks() []int64 {
	f.t.Helper()
	feeds, err := lanes.New(f.Tasks).Feeds(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	var out []int64
	for _, feed := range feeds {
		if feed.Unfed == 0 {
			out = append(out, feed.Num)
		}
	}
	var lost []int64
	f.fine(f.DB.Read.Raw("SELECT id FROM rollcall.lanes WHERE claim_until > 0 AND claim_until < ?", f.now.UnixMilli()).
		Scan(&lost).Error)
	if len(lost) > 0 {
		f.t.Errorf("the claims of lanes %v were not given back", lost)
	}
	return out
}

// waiting returns the rows that wait in Redis, in the order in which they will run.
func (f *farm) waiting() (nums []int64) {
	f.t.Helper()
	page, err := f.Queue.Admin().Waiting(f.t.Context(), "k", queue.Query{Limit: 500})
	if err != nil {
		f.t.Fatal(err)
	}
	for _, key := range page.Keys {
		for _, one := range key.Payloads {
			env, err := jobs.Unpack(one.Payload)
			if err != nil {
				f.t.Fatal(err)
			}
			nums = append(nums, env.Event.Num())
		}
	}
	return nums
}

// upTo returns the numbers from 1 to n.
func upTo(n int64) (out []int64) {
	for i := range n {
		out = append(out, i+1)
	}
	return out
}

// TestABacklogOfSmallTasksFillsTheWindow checks that many small tasks are pushed at once, in their
// order.
func TestABacklogOfSmallTasksFillsTheWindow(t *testing.T) {
	on(t, func(f *farm) {
		f.feed()
		f.backlog(120)
		f.feed()
		if diff := cmp.Diff(upTo(100), f.fedTasks()); diff != "" {
			f.t.Errorf("tasks that are fed, of a window of 100 (-want +got):\n%s", diff)
		}
		f.finish(1, 1, 1)
		if got := f.waiting(); !slices.IsSorted(got) || len(got) < 5 {
			f.t.Errorf("rows wait in the order %v", got)
		}
	})
}

// TestFeed_AnotherFeederHasTheLane_FeedsNothingOfIt: until the claim has expired, another feeder
// pushes nothing of the lane. So no row overtakes a row of an older task whose push is in progress.
func TestFeed_AnotherFeederHasTheLane_FeedsNothingOfIt(t *testing.T) {
	onBoth(t, func(f *farm) {
		f.feed()
		f.backlog(9)
		if claim := f.claim(2, 50, time.Second); len(claim.Feeds) != 2 {
			f.t.Fatalf("ClaimLane = %+v", claim)
		}
		f.feed()
		if got := f.fedTasks(); len(got) > 0 {
			f.t.Errorf("tasks %v were fed of a lane that another feeder has", got)
		}
		f.now = f.now.Add(time.Minute)
		f.feed()
		if diff := cmp.Diff(upTo(9), f.fedTasks()); diff != "" {
			f.t.Errorf("tasks fed when its claim has run out (-want +got):\n%s", diff)
		}
	})
}

// TestSmallTasksAreFedAgain empties Redis. The tasks are pushed again in their order.
func TestSmallTasksAreFedAgain(t *testing.T) {
	on(t, func(f *farm) {
		f.backlog(30)
		f.feed()
		f.finish(4, 1, 1)
		if err := f.Redis.FlushAll(f.t.Context()).Err(); err != nil {
			f.t.Fatal(err)
		}
		f.now = f.now.Add(time.Minute)
		f.feed()
		want := slices.DeleteFunc(upTo(30), func(num int64) bool { return num == 4 })
		if diff := cmp.Diff(want, f.waiting()); diff != "" {
			f.t.Errorf("tasks that wait after the wipe (-want +got):\n%s", diff)
		}
		feeds, err := lanes.New(f.Tasks).Feeds(f.t.Context())
		if err != nil || slices.ContainsFunc(feeds, lanes.Feed.NeedsRepush) {
			f.t.Errorf("feeds = %+v, %v, want none to be fed again", feeds, err)
		}
	})
}

// TestSlotsOfSmallTasks checks that four feeders never exceed the slots of a tenant.
func TestSlotsOfSmallTasks(t *testing.T) {
	on(t, func(f *farm) {
		f.feed()
		f.backlog(40)
		if err := f.Tasks.SetLimits(f.t.Context(), "acme", tasks.Limits{Slots: 25}); err != nil {
			f.t.Fatal(err)
		}
		f.feedAtOnce(4)
		f.feed()
		if diff := cmp.Diff(upTo(25), f.fedTasks()); diff != "" {
			f.t.Errorf("tasks fed into 25 slots (-want +got):\n%s", diff)
		}
	})
}

// TestPendingOfManyTasks checks that a page continues where the page before it was full.
func TestPendingOfManyTasks(t *testing.T) {
	on(t, func(f *farm) {
		f.task(3)
		f.task(2)
		f.task(4)
		f.finish(2, 1, 2)
		var ranges []events.Range
		for _, n := range []int64{3, 2, 4} {
			ranges = append(ranges, events.Range{Num: int64(len(ranges) + 1), Last: n})
		}
		for _, want := range []struct {
			page pending.Page
			rows int
			read []int64
		}{
			{pending.Page{Rows: 2, Bytes: 1 << 20}, 2, []int64{2}},
			{pending.Page{Rows: 3, Bytes: 1 << 20}, 3, []int64{3}},
			{pending.Page{Rows: 5, Bytes: 1 << 20}, 5, []int64{3, 2, 2}},
			{pending.Page{Rows: 9, Bytes: 1 << 20}, 7, []int64{3, 2, 4}},
			{pending.Page{Rows: 9, Bytes: 7}, 4, []int64{3, 2, 1}},
		} {
			rows, read, err := pending.New(f.Events).Pending(f.t.Context(), ranges, want.page)
			if err != nil || len(rows) != want.rows || !slices.Equal(read, want.read) {
				f.t.Errorf("%+v: %d rows up to %v, %v, want %d up to %v",
					want.page, len(rows), read, err, want.rows, want.read)
			}
		}
	})
}
