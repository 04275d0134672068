package feed_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// feedsWith feeds once with a new feeder. It repeats a poll that Redis did not answer in time.
func (f *farm) feedsWith(opt feed.Options) {
	f.t.Helper()
	feeder := feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, opt)
	err := feeder.Feed(f.t.Context())
	for end := time.Now().Add(2 * time.Minute); errors.Is(err, queue.ErrUnanswered) && time.Now().Before(end); {
		err = feeder.Feed(f.t.Context())
	}
	f.fine(err)
}

// restarted brings Redis into the state after a restart: Redis has kept everything but its mark.
func (f *farm) restarted() {
	f.t.Helper()
	f.fine(f.Queue.SetGeneration(f.t.Context(), "other"))
	f.now = f.now.Add(time.Minute)
}

// TestSlots_WideWindow_SlowKeyLeavesSome has a tenant with fewer slots than the limit of rows of a
// key.
func TestSlots_WideWindow_SlowKeyLeavesSome(t *testing.T) {
	on(t, func(f *farm) {
		f.fine(f.Tasks.SetLimits(f.t.Context(), "acme", tasks.Limits{Slots: 10}))
		f.rowsOfKeys(times(100, "slow")...)
		f.task(5)
		opt := feed.Options{Window: 1000, MinWindow: 1000}
		f.feedsWith(opt)
		f.feedsWith(opt)
		if n := f.inRedis("slow"); n >= 10 {
			f.t.Errorf("%d rows of the slow key take all 10 slots", n)
		}
		f.has("", 5)
	})
}

// TestRefeed_RedisRestartsWithItsData_ResubmittedRowRunsFirst resubmits the first row of a full key
// while Redis restarts.
func TestRefeed_RedisRestartsWithItsData_ResubmittedRowRunsFirst(t *testing.T) {
	on(t, func(f *farm) {
		f.keyed(60, 1)
		f.feed()
		f.resubmitInvalid(1, 1)
		f.restarted()
		f.feed()
		f.runsInOrder(60, "after the restart", func(int) { f.now = f.now.Add(time.Second) })
	})
}

// TestRefeed_ManyRowsOfAKey_GroupsStaySmall resubmits 1,200 rows of a key.
func TestRefeed_ManyRowsOfAKey_GroupsStaySmall(t *testing.T) {
	onBoth(t, func(f *farm) {
		f.pressed(1200)
		for range 12 {
			f.least()
		}
		var n int64
		f.fine(f.DB.Read.Raw("SELECT max(rows) FROM rollcall.held").Scan(&n).Error)
		if n > lanes.GroupRows {
			f.t.Errorf("a group has %d rows, want at most %d", n, lanes.GroupRows)
		}
	})
}

// TestRelease_LargeRowsOfANewFeeder_StaysWithinAChunk has a new feeder push held rows of 200 kB
// each.
func TestRelease_LargeRowsOfANewFeeder_StaysWithinAChunk(t *testing.T) {
	on(t, func(f *farm) {
		large := []byte(`{"x":"` + strings.Repeat("x", 190<<10) + `"}`)
		var keys []string
		for i := range 16 {
			keys = append(keys, times(4, fmt.Sprint("b", i))...)
		}
		rows := drafts(keys)
		for i := range rows {
			rows[i].Params = large
		}
		task := f.add(rows)
		opt := feed.Options{Window: 1000, MinWindow: 200}
		f.feedsWith(opt)
		for i := range 16 {
			key := fmt.Sprint("b", i)
			if n := int64(f.inRedis(key)); n > 0 {
				f.finish(task.Num, int64(4*i+1), int64(4*i)+n)
				f.ack("acme/" + key)
			}
		}
		most := 0
		opt.OnPush = func(fed feed.Pushed) { most = max(most, fed.Jobs[task.ID]) }
		f.feedsWith(opt)
		if bytes := most * len(large); bytes > 5<<20 || most == 0 {
			f.t.Errorf("a push has %d rows, %d MB, want at most 4 MB and a row", most, bytes>>20)
		}
		r := ran{strict: true}
		defer f.work(&r, 0)()
		f.drain("large rows", func(int) {})
		r.ordered(f.t)
	})
}
