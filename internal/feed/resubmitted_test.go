package feed_test

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/recount"
)

// resubmit makes the given rows of a task fail, and resubmits them.
func (f *farm) resubmit(num int64, seqs ...int64) {
	f.t.Helper()
	var moves []events.Move
	var rows []decisions.Decision
	for _, seq := range seqs {
		id := events.NewID(num, seq)
		moves = append(moves, events.Move{
			ID: id, From: events.Enqueue, To: events.Failed, Attempt: 1, Failure: &events.Failure{Code: "X"},
		})
		rows = append(rows, decisions.Decision{ID: id, Version: 2, Resolution: events.Resubmitted})
	}
	if _, err := f.Events.Record(f.t.Context(), moves); err != nil {
		f.t.Fatal(err)
	}
	made, err := decisions.New(f.Events).Decide(f.t.Context(), decisions.Review{Num: num, By: "ann", Rows: rows})
	for i := range seqs {
		if err != nil || !made[i] {
			f.t.Fatal(made, err)
		}
	}
}

// lose empties Redis.
func (f *farm) lose() {
	f.t.Helper()
	f.now = f.now.Add(time.Minute) // a mark changes at most once in two seconds
	if err := f.queueFlush(); err != nil {
		f.t.Fatal(err)
	}
}

// TestWhatIsResubmittedIsFedOnceMore checks that only the resubmitted rows are pushed, also for a
// task that was done and after Redis was emptied.
func TestWhatIsResubmittedIsFedOnceMore(t *testing.T) {
	on(t, func(f *farm) {
		task := f.task(3)
		f.feed()
		if _, err := f.Events.Record(f.t.Context(), []events.Move{
			{ID: events.NewID(task.Num, 1), From: events.Enqueue, To: events.Finish, Attempt: 1},
		}); err != nil {
			f.t.Fatal(err)
		}
		f.resubmit(task.Num, 2, 3)
		for _, why := range []string{"resubmitted", "lost", "lost again"} {
			f.lose()
			if n := f.feed(); n != 2 {
				f.t.Errorf("%s: %d keys in Redis, want 2", why, n)
			}
			feeds, err := lanes.New(f.Tasks).Feeds(f.t.Context())
			if err != nil || len(feeds) != 1 || feeds[0].Resubmitted != 0 || feeds[0].InRedis != 2 {
				f.t.Errorf("%s: feeds %+v, %v", why, feeds, err)
			}
		}
		a, err := recount.New(f.Events).Audit(f.t.Context(), task.Num)
		if err != nil || len(a.Differences()) != 0 {
			f.t.Errorf("%v %v", a.Differences(), err)
		}
	})
}
