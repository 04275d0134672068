package feed_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/recount"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// keyed adds a task with rows of one key. The rows with the given numbers are invalid.
func (f *farm) keyed(n int64, invalid ...int64) *tasks.Task {
	f.t.Helper()
	rows := make([]events.Draft, n)
	for i := range rows {
		rows[i] = events.Draft{Row: i + 2, Key: "same", Params: []byte("{}")}
		if slices.Contains(invalid, int64(i)+1) {
			rows[i].Failure = &events.Failure{Code: "REQUIRED"}
		}
	}
	return f.add(rows)
}

// resubmitInvalid resubmits invalid rows of a task.
func (f *farm) resubmitInvalid(num int64, seqs ...int64) {
	f.t.Helper()
	var rows []decisions.Decision
	for _, seq := range seqs {
		e, err := f.Events.Get(f.t.Context(), events.NewID(num, seq))
		if err != nil {
			f.t.Fatal(err)
		}
		rows = append(rows, decisions.Decision{ID: e.ID, Version: e.Version, Resolution: events.Resubmitted})
	}
	made, err := decisions.New(f.Events).Decide(f.t.Context(), decisions.Review{Num: num, By: "ann", Rows: rows})
	if err != nil || slices.Contains(made, false) {
		f.t.Fatal(made, err)
	}
}

// ends ends a row that has not started with the given status.
func (f *farm) ends(id events.ID, to events.Status) {
	f.t.Helper()
	e, err := f.Events.Get(f.t.Context(), id)
	if err != nil {
		f.t.Fatal(err)
	}
	m := events.Move{ID: id, From: events.Enqueue, FromAttempt: e.Attempt, To: to, Attempt: e.Attempt + 1}
	if to.Bad() {
		m.Failure = &events.Failure{Code: "X"}
	}
	if made, err := f.Events.Record(f.t.Context(), []events.Move{m}); err != nil || !made[0] {
		f.t.Fatal(made, err)
	}
}

// narrow returns a feeder with room for one row in Redis.
func (f *farm) narrow() *feed.Feeder {
	return feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, feed.Options{
		Window: 1, MinWindow: 1, Chunk: 1, Now: func() time.Time { return f.now },
	})
}

// works starts a worker that reports the rows that it receives.
func (f *farm) works(hold <-chan struct{}) <-chan events.ID {
	f.t.Helper()
	got := make(chan events.ID, 100)
	s := queue.NewServer(f.Redis, queue.ServerOptions{}, queue.Worker{
		Queue: "k", Shards: 1, Handle: func(_ context.Context, b *queue.Batch) error {
			for _, d := range b.Deliveries {
				env, err := jobs.Unpack(d.Payload)
				if err != nil {
					return err
				}
				got <- env.Event
			}
			<-hold
			return nil
		},
	})
	if err := s.Start(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(s.Stop)
	return got
}

// order feeds and finishes one row after another until n rows have run, and returns them in order.
func (f *farm) order(feeder *feed.Feeder, got <-chan events.ID, n int) (ran []events.ID) {
	f.t.Helper()
	for range n {
		f.now = f.now.Add(time.Second)
		if err := feeder.Feed(f.t.Context()); err != nil {
			f.t.Fatal(err)
		}
		ran = append(ran, f.next(got, ran))
		f.ends(ran[len(ran)-1], events.Finish)
	}
	return ran
}

// next returns the row that runs next. It fails the test if no row runs for two minutes.
func (f *farm) next(got <-chan events.ID, ran []events.ID) (id events.ID) {
	f.t.Helper()
	select {
	case id = <-got:
	case <-time.After(2 * time.Minute):
		f.t.Fatalf("nothing runs after %v", ran)
	}
	return id
}

func (f *farm) sorted(ran []events.ID, n int) {
	f.t.Helper()
	if !slices.IsSorted(ran) || len(ran) != n || len(slices.Compact(slices.Clone(ran))) != n {
		f.t.Errorf("rows of one key ran in the order %v", ran)
	}
	for num := range ran[len(ran)-1].Num() {
		a, err := recount.New(f.Events).Audit(f.t.Context(), num+1)
		if err != nil || len(a.Differences()) != 0 {
			f.t.Errorf("task %d: %v %v", num+1, a.Differences(), err)
		}
	}
}

func freely() <-chan struct{} {
	hold := make(chan struct{})
	close(hold)
	return hold
}

// TestARowIsRepairedBeforeItsTurn resubmits a row that was invalid in the file, while rows of its
// key before it wait. The row runs behind these, and before the rows behind it, in its own task and
// in a later one of the lane.
func TestARowIsRepairedBeforeItsTurn(t *testing.T) {
	on(t, func(f *farm) {
		feeder := f.narrow()
		if err := feeder.Feed(f.t.Context()); err != nil {
			f.t.Fatal(err)
		}
		got := f.works(freely())
		first, second := f.keyed(6, 1, 4), f.keyed(3, 2)
		ran := f.order(feeder, got, 1)
		f.resubmitInvalid(first.Num, 4)
		f.resubmitInvalid(second.Num, 2)
		ran = append(ran, f.order(feeder, got, 7)...)
		f.sorted(ran, 8)
	})
}

// TestARowThatRanAndFailedRunsBeforeTheWaitingOnes: a resubmitted row that has run before runs
// ahead of the waiting rows of its key.
func TestARowThatRanAndFailedRunsBeforeTheWaitingOnes(t *testing.T) {
	on(t, func(f *farm) {
		feeder := f.narrow()
		if err := feeder.Feed(f.t.Context()); err != nil {
			f.t.Fatal(err)
		}
		got := f.works(freely())
		first, second := f.keyed(3), f.keyed(3)
		if err := feeder.Feed(f.t.Context()); err != nil {
			f.t.Fatal(err)
		}
		f.ends(f.next(got, nil), events.Failed)
		f.resubmitInvalid(first.Num, 1)
		ran := f.order(feeder, got, 3)
		f.sorted(ran, 3)
		f.now = f.now.Add(time.Second)
		if err := feeder.Feed(f.t.Context()); err != nil {
			f.t.Fatal(err)
		}
		f.ends(f.next(got, nil), events.Failed)
		f.resubmitInvalid(second.Num, 1)
		f.sorted(append(ran, f.order(feeder, got, 3)...), 6)
	})
}

// TestOrderWithARedisThatHasForgotten empties a Redis that has rows of a key, after an earlier and a
// later row of the key were resubmitted. A worker runs meanwhile.
func TestOrderWithARedisThatHasForgotten(t *testing.T) {
	onBoth(t, func(f *farm) {
		feeder := f.feeder()
		task := f.keyed(6, 4)
		if err := feeder.Feed(f.t.Context()); err != nil {
			f.t.Fatal(err)
		}
		f.ends(events.NewID(task.Num, 1), events.Finish)
		f.ends(events.NewID(task.Num, 2), events.Failed)
		f.resubmitInvalid(task.Num, 2, 4)
		f.lose()
		got := f.works(freely())
		narrow := feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds,
			feed.Options{Window: 100, MinWindow: 100, Chunk: 1})
		f.sorted(f.order(narrow, got, 5), 5)
	})
}

// TestARowWithAnotherKeyGoesToItsRows changes the key of a row: it then runs in order with the rows
// of the new key.
func TestARowWithAnotherKeyGoesToItsRows(t *testing.T) {
	onBoth(t, func(f *farm) {
		task := f.keyed(4, 2, 4)
		made, err := decisions.New(f.Events).Decide(f.t.Context(), decisions.Review{Num: task.Num, By: "ann", Rows: []decisions.Decision{
			{
				ID: events.NewID(task.Num, 2), Resolution: events.Resubmitted, Version: 1,
				Edit: &decisions.Edit{Params: []byte("{}"), Key: "other"},
			},
			{
				ID: events.NewID(task.Num, 4), Resolution: events.Resubmitted, Version: 1,
				Edit: &decisions.Edit{Params: []byte("{}"), Key: "other"},
			},
		}})
		if err != nil || slices.Contains(made, false) {
			f.t.Fatal(made, err)
		}
		f.feed()
		page, err := f.Queue.Admin().Waiting(f.t.Context(), "k", queue.Query{})
		if err != nil {
			f.t.Fatal(err)
		}
		got := map[string][]events.ID{}
		for _, k := range page.Keys {
			for _, p := range k.Payloads {
				env, err := jobs.Unpack(p.Payload)
				if err != nil {
					f.t.Fatal(err)
				}
				got[k.Key] = append(got[k.Key], env.Event-events.NewID(task.Num, 0))
			}
		}
		want := map[string][]events.ID{"acme/same": {1, 3}, "acme/other": {2, 4}}
		if diff := cmp.Diff(want, got); diff != "" {
			f.t.Errorf("rows by key (-want +got):\n%s", diff)
		}
	})
}
