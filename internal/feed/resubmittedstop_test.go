package feed_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/recount"
	"github.com/rollcall-dev/rollcall/tasks"
)

// finds checks the status, the round and two counts of a task, and that all its counts match its
// rows.
func (f *farm) finds(task *tasks.Task, status tasks.Status, round int, finish, failed int64) {
	f.t.Helper()
	got, err := f.Tasks.Get(f.t.Context(), task.Tenant, task.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	if got.Status != status || got.Round != round || got.Finish != finish || got.Failed != failed {
		f.t.Errorf("%s in round %d, finish %d, failed %d; want %s in %d, %d, %d", got.Status, got.Round,
			got.Finish, got.Failed, status, round, finish, failed)
	}
	a, err := recount.New(f.Events).Audit(f.t.Context(), task.Num)
	if err != nil || len(a.Differences()) != 0 {
		f.t.Errorf("%v %v", a.Differences(), err)
	}
}

// TestResubmitOfAPausedTask resubmits rows of a paused task: none of them is fed until the task is
// resumed, then all in their order.
func TestResubmitOfAPausedTask(t *testing.T) {
	on(t, func(f *farm) {
		feeder := f.narrow()
		task := f.keyed(5, 3)
		if err := f.Tasks.Pause(f.t.Context(), "acme", task.ID); err != nil {
			f.t.Fatal(err)
		}
		f.resubmitInvalid(task.Num, 3)
		if n := f.feed(); n != 0 {
			f.t.Errorf("%d keys of a paused task in Redis", n)
		}
		f.finds(task, tasks.Paused, 2, 0, 0)
		if err := f.Tasks.Resume(f.t.Context(), "acme", task.ID); err != nil {
			f.t.Fatal(err)
		}
		if err := feeder.Feed(f.t.Context()); err != nil {
			f.t.Fatal(err)
		}
		f.sorted(f.order(feeder, f.works(freely()), 5), 5)
		f.finds(task, tasks.Finished, 2, 5, 0)
	})
}

// TestResubmitBeforeAPause resubmits rows before a pause: rows that were not fed by then wait.
func TestResubmitBeforeAPause(t *testing.T) {
	on(t, func(f *farm) {
		f.feed()
		task := f.keyed(2, 1, 2)
		f.finds(task, tasks.Failed, 1, 0, 2)
		f.resubmitInvalid(task.Num, 1, 2)
		if err := f.Tasks.Pause(f.t.Context(), "acme", task.ID); err != nil {
			f.t.Fatal(err)
		}
		if n := f.feed(); n != 0 {
			f.t.Errorf("%d keys of a paused task in Redis", n)
		}
		if err := f.Tasks.Resume(f.t.Context(), "acme", task.ID); err != nil {
			f.t.Fatal(err)
		}
		feeder := f.narrow()
		f.sorted(f.order(feeder, f.works(freely()), 2), 2)
		f.finds(task, tasks.Finished, 2, 2, 0)
	})
}

// TestResubmitWhileTheFileIsRead resubmits the rows that have failed so far: they run in their place.
// The task is done only when the file is read to its end.
func TestResubmitWhileTheFileIsRead(t *testing.T) {
	on(t, func(f *farm) {
		feeder := f.narrow()
		if err := feeder.Feed(f.t.Context()); err != nil {
			f.t.Fatal(err)
		}
		got := f.works(freely())
		task, read := f.reading()
		read(false, nil, fault, nil)
		f.resubmitInvalid(task.Num, 2)
		ran := f.order(feeder, got, 3)
		f.finds(task, tasks.Splitting, 2, 3, 0)
		read(false, fault)
		read(false, nil)
		ran = append(ran, f.order(feeder, got, 1)...) // row 5; row 4 is still failed
		f.resubmitInvalid(task.Num, 4)
		read(true, nil)
		ran = append(ran, f.order(feeder, got, 2)...)
		f.finds(task, tasks.Finished, 3, 6, 0)
		want := []int64{1, 2, 3, 5, 4, 6}
		for i, id := range ran {
			if id.Seq() != want[i] {
				f.t.Fatalf("rows ran in the order %v, want %v", ran, want)
			}
		}
	})
}

// succeed ends resubmitted rows with finish, after one run.
func (f *farm) succeed(num int64, seqs []int64) {
	f.t.Helper()
	var moves []events.Move
	for _, seq := range seqs {
		moves = append(moves, events.Move{
			ID: events.NewID(num, seq), From: events.Enqueue, FromAttempt: 1, To: events.Finish, Attempt: 2,
		})
	}
	if made, err := f.Events.Record(f.t.Context(), moves); err != nil || slices.Contains(made, false) {
		f.t.Fatal(made, err)
	}
}

var fault = &events.Failure{Code: "REQUIRED"}

// reading adds a task whose file is read chunk by chunk. Its rows have one key; the rows with a
// failure are invalid.
func (f *farm) reading() (task *tasks.Task, read func(final bool, rows ...*events.Failure)) {
	f.t.Helper()
	task = &tasks.Task{
		ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Import, Status: tasks.Open,
		Source: tasks.Source{FileID: "f"},
	}
	if err := f.Tasks.Create(f.t.Context(), task, time.Hour); err != nil {
		f.t.Fatal(err)
	}
	_, claim, err := f.Tasks.Picker(tasks.Reading, []string{"k"}, 1).Next(f.t.Context(), time.Hour)
	if err != nil {
		f.t.Fatal(err)
	}
	row := 1
	return task, func(final bool, rows ...*events.Failure) {
		f.t.Helper()
		chunk := events.Chunk{Num: task.Num, Claim: int64(claim), TTL: time.Hour, Final: final}
		for _, failure := range rows {
			row++
			chunk.Rows = append(chunk.Rows, events.Draft{Row: row, Key: "same", Params: []byte("{}"), Failure: failure})
		}
		if _, err := f.Events.Append(f.t.Context(), chunk); err != nil {
			f.t.Fatal(err)
		}
	}
}

// TestSlotsOfResubmittedRows checks that two feeders never exceed the slots until all rows have
// run.
func TestSlotsOfResubmittedRows(t *testing.T) {
	on(t, func(f *farm) {
		f.feed()
		task := f.task(120)
		if err := f.Tasks.SetLimits(f.t.Context(), "acme", tasks.Limits{Slots: 10}); err != nil {
			f.t.Fatal(err)
		}
		var seqs []int64
		for seq := range int64(120) {
			seqs = append(seqs, seq+1)
		}
		f.resubmit(task.Num, seqs...)
		for left := 120; left > 0; left -= 10 {
			f.feedAtOnce(2)
			feeds, err := lanes.New(f.Tasks).Feeds(f.t.Context())
			if err != nil || len(feeds) != 1 || feeds[0].InRedis != 10 || int(feeds[0].Resubmitted) != left-10 {
				f.t.Fatalf("with %d left: %+v, %v", left, feeds, err)
			}
			f.succeed(task.Num, seqs[:10])
			seqs = seqs[10:]
		}
		f.finds(task, tasks.Finished, 2, 120, 0)
	})
}

// TestResubmittedRowsHoldUpNoOtherTenant resubmits many rows of a tenant. Few of them wait in Redis at a
// time. New rows of another tenant are pushed at once, and wait behind these few only.
func TestResubmittedRowsHoldUpNoOtherTenant(t *testing.T) {
	onBoth(t, func(f *farm) {
		f.feed()
		large := f.task(600)
		var seqs []int64
		for seq := range int64(600) {
			seqs = append(seqs, seq+1)
		}
		f.resubmit(large.Num, seqs...)
		feeder := feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, feed.Options{
			MinWindow: 20, Now: func() time.Time { return f.now },
		})
		inRedis := func() map[string]int64 {
			f.t.Helper()
			f.now = f.now.Add(time.Second)
			f.fine(feeder.Feed(f.t.Context()))
			feeds, err := lanes.New(f.Tasks).Feeds(f.t.Context())
			f.fine(err)
			out := map[string]int64{}
			for _, one := range feeds {
				out[one.Tenant] += one.InRedis
			}
			return out
		}
		for range 3 { // no worker runs
			if n := inRedis(); n["acme"] != 20 {
				f.t.Fatalf("%v rows in Redis, want 20", n)
			}
		}
		for ended, ran := int64(0), int64(20); ended < 600; {
			small := f.AddOf(f.t, "globex", "k", drafts([]string{fmt.Sprint(ended), fmt.Sprint(ended, "b"), fmt.Sprint(ended, "c")})...)
			n := inRedis()
			if n["acme"] == 0 || n["acme"] > 600-ended || n["acme"] > 4*ran {
				f.t.Fatalf("%v rows in Redis after %d have run, %d have ended", n, ran, ended)
			}
			if n["globex"] != 3 {
				f.t.Fatalf("%v rows in Redis, want all 3 of the other tenant; %d rows have ended", n, ended)
			}
			f.finish(small.Num, 1, 3)
			ran = n["acme"]
			f.succeed(large.Num, seqs[ended:ended+ran])
			ended += ran
		}
		f.finds(large, tasks.Finished, 2, 600, 0)
	})
}
