package feed_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/tasks"
)

// cancels runs one poll of a canceler.
func (f *farm) cancels(c *reconcile.Canceler) {
	f.t.Helper()
	if err := c.Cancel(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
}

// cancelsAll cancels a task of n rows, and continues until every process must have read the
// cancellation.
func (f *farm) cancelsAll(task *tasks.Task, n int64) {
	f.t.Helper()
	f.cancel(task)
	c := f.canceler()
	for range 3 {
		f.cancels(c)
		f.now = f.now.Add(2 * time.Second)
	}
	f.is(task, tasks.Canceled, n)
}

// cancelsIn runs a canceler twice, the second time after the time `wait`. It checks that `first` and
// then `all` rows of the task are canceled.
func (f *farm) cancelsIn(task *tasks.Task, first int64, wait time.Duration, all int64) {
	f.t.Helper()
	c := f.canceler()
	f.cancels(c)
	f.is(task, tasks.Canceling, first)
	f.now = f.now.Add(wait)
	f.cancels(c)
	f.is(task, tasks.Canceled, all)
}

func (f *farm) canceler() *reconcile.Canceler {
	return reconcile.NewCanceler(f.Tasks, f.Events, f.Queue,
		reconcile.CancelerOptions{Now: func() time.Time { return f.now }})
}

func (f *farm) cancel(task *tasks.Task) {
	f.t.Helper()
	if err := f.Tasks.Cancel(f.t.Context(), "acme", task.ID); err != nil {
		f.t.Fatal(err)
	}
}

// is checks the status of a task, its number of canceled rows, and that this number matches its
// events.
func (f *farm) is(task *tasks.Task, status tasks.Status, canceled int64) {
	f.t.Helper()
	now, err := f.Tasks.Get(f.t.Context(), "acme", task.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	if now.Status != status || now.Canceled != canceled {
		f.t.Errorf("%s with %d canceled, want %s with %d", now.Status, now.Canceled, status, canceled)
	}
	var counted int64
	for e, err := range f.Events.Each(f.t.Context(), task.Num, events.Filter{Statuses: []events.Status{events.Canceled}}) {
		if err != nil {
			f.t.Fatal(err)
		}
		if counted++; e.FinishedAt == nil {
			f.t.Errorf("canceled at no time: %+v", e)
		}
	}
	if counted != now.Canceled {
		f.t.Errorf("%d events are canceled, the task counts %d", counted, now.Canceled)
	}
}

// TestCanceledInEachStage checks that rows that were never fed are canceled at once. Rows that were
// fed are canceled as soon as every process must have read the cancellation.
func TestCanceledInEachStage(t *testing.T) {
	on(t, func(f *farm) {
		f.feed()
		open := &tasks.Task{
			ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Import, Status: tasks.Open,
			Source: tasks.Source{FileID: "f"},
		}
		task := f.task(6_250)
		if err := f.Tasks.Create(f.t.Context(), open, time.Hour); err != nil {
			f.t.Fatal(err)
		}
		f.feed()
		f.finish(task.Num, 1, 30)
		f.cancel(task)
		f.cancel(open)
		c := f.canceler()
		f.cancels(c)
		f.is(open, tasks.Canceled, 0)
		f.is(task, tasks.Canceling, 6_150)
		if n := f.feed(); n != 100 {
			f.t.Errorf("%d keys in Redis, want the 100 from before the cancel", n)
		}
		f.now = f.now.Add(2 * time.Second)
		f.cancels(c)
		f.is(task, tasks.Canceling, 6_150)
		f.now = f.now.Add(2 * time.Second)
		f.cancels(f.canceler()) // a new canceler counts the time since its own first poll
		f.is(task, tasks.Canceling, 6_150)
		f.cancels(c)
		f.is(task, tasks.Canceled, 6_220)
		if feeds, err := lanes.New(f.Tasks).Feeds(f.t.Context()); err != nil || len(feeds) != 0 {
			f.t.Errorf("feeds = %+v, %v", feeds, err)
		}
	})
}

// TestCanceledWhileItIsRead cancels a task whose file is being read.
func TestCanceledWhileItIsRead(t *testing.T) {
	onBoth(t, func(f *farm) {
		task := &tasks.Task{
			ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Import, Status: tasks.Open,
			Source: tasks.Source{FileID: "f"},
		}
		if err := f.Tasks.Create(f.t.Context(), task, time.Hour); err != nil {
			f.t.Fatal(err)
		}
		_, claim, err := f.Tasks.Picker(tasks.Reading, []string{"k"}, 1).Next(f.t.Context(), time.Minute)
		if err != nil {
			f.t.Fatal(err)
		}
		chunk := events.Chunk{Num: task.Num, Claim: int64(claim), Rows: []events.Draft{
			{Row: 2, Key: "a", Params: []byte("{}")}, {Row: 3, Key: "b", Params: []byte("{}")},
		}}
		if _, err := f.Events.Append(f.t.Context(), chunk); err != nil {
			f.t.Fatal(err)
		}
		f.cancel(task)
		if _, err := f.Events.Append(f.t.Context(), chunk); !errors.Is(err, events.ErrClaimLost) {
			f.t.Errorf("Append after the cancel = %v, want ErrClaimLost", err)
		}
		f.cancels(f.canceler())
		f.is(task, tasks.Canceled, 2)
	})
}

// TestAPushUnderWayWhenItIsCanceled cancels a task while a feeder pushes its rows. The feeder then
// changes nothing. Its rows are not canceled at first, because they may be running.
func TestAPushUnderWayWhenItIsCanceled(t *testing.T) {
	onBoth(t, func(f *farm) {
		f.feed()
		task := f.task(80)
		claim := f.claim(1, 50, time.Minute)
		if len(claim.Feeds) != 1 {
			f.t.Fatal(claim)
		}
		f.cancel(task)
		step := lanes.Step{Feed: claim.Feeds[0], Waited: 50}
		step.Feed.Fed = 50
		err := lanes.New(f.Tasks).AdvanceLane(f.t.Context(), claim, []lanes.Step{step}, lanes.Shift{})
		if !errors.Is(err, tasks.ErrClaimLost) {
			f.t.Errorf("AdvanceLane after the cancel = %v, want ErrClaimLost", err)
		}
		if claim := f.claim(1, 50, time.Minute); len(claim.Feeds) != 0 {
			f.t.Errorf("ClaimLane after the cancel = %+v", claim)
		}
		f.cancelsIn(task, 0, 4*time.Second, 80)
	})
}

// TestADeadCanceler has a canceler die in the middle of its work. Another one continues when the
// claim has expired.
func TestADeadCanceler(t *testing.T) {
	onBoth(t, func(f *farm) {
		task := f.task(6_000)
		f.cancel(task)
		if mine, err := f.Tasks.ClaimCancel(f.t.Context(), task.Num, time.Minute); err != nil || !mine {
			f.t.Fatal(mine, err)
		}
		if _, err := f.Events.Cancel(f.t.Context(), events.Range{Num: task.Num, Last: 2_500}, true); err != nil {
			f.t.Fatal(err)
		}
		f.cancelsIn(task, 2_500, 2*time.Minute, 6_000)
	})
}

// TestManyCancelers runs several cancelers on the same tasks: each row is counted once.
func TestManyCancelers(t *testing.T) {
	onBoth(t, func(f *farm) {
		var list []*tasks.Task
		for range 2 {
			task := f.task(6_000)
			f.cancel(task)
			list = append(list, task)
		}
		var wg sync.WaitGroup
		for range 4 {
			c := f.canceler()
			wg.Go(func() {
				for f.t.Context().Err() == nil {
					if err := c.Cancel(f.t.Context()); err != nil {
						f.t.Error(err)
					}
					if left, err := f.Tasks.Cancels(f.t.Context()); err != nil || len(left) == 0 {
						return
					}
				}
			})
		}
		wg.Wait()
		for _, task := range list {
			f.is(task, tasks.Canceled, 6_000)
		}
	})
}

// TestAChildIsCanceledWithItsParent: the cancellation of a task cancels its children, even if a
// canceler dies at any step.
func TestAChildIsCanceledWithItsParent(t *testing.T) {
	onBoth(t, func(f *farm) {
		parent := f.task(3)
		child := &tasks.Task{
			ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Batch, Status: tasks.Open,
			ParentID: parent.ID,
		}
		if err := f.Tasks.Create(f.t.Context(), child, time.Hour); err != nil {
			f.t.Fatal(err)
		}
		f.cancel(parent)
		f.cancels(f.canceler())
		f.is(child, tasks.Canceled, 0)
		f.is(parent, tasks.Canceled, 3)
	})
}

// TestSlots checks that four feeders at once keep to the slots of a tenant, and that a feeder keeps
// to a number that was raised.
func TestSlots(t *testing.T) {
	on(t, func(f *farm) {
		f.feed()
		f.task(60)
		task := f.task(60)
		set := func(n int64) {
			f.t.Helper()
			if err := f.Tasks.SetLimits(f.t.Context(), "acme", tasks.Limits{Slots: n}); err != nil {
				f.t.Fatal(err)
			}
		}
		set(25)
		f.feedAtOnce(4)
		if n := f.feed(); n != 25 {
			f.t.Errorf("%d keys in Redis, want the 25 slots", n)
		}
		set(40)
		if n := f.feed(); n != 40 {
			f.t.Errorf("%d keys in Redis, want the 40 slots", n)
		}
		set(0)
		if n := f.feed(); n != 60 { // the keys of both tasks are the same
			f.t.Errorf("%d keys in Redis, want all 60", n)
		}
		feeds, err := lanes.New(f.Tasks).Feeds(f.t.Context())
		if err != nil || len(feeds) != 2 || feeds[1].Num != task.Num {
			f.t.Fatalf("feeds = %+v, %v", feeds, err)
		}
		if n := feeds[0].InRedis + feeds[1].InRedis; n <= 75 || n > 100 { // a small gap is left
			f.t.Errorf("%d rows in Redis, want the window of 100", n)
		}
	})
}

// TestAClaimRespectsSlots checks that a claim leaves the slots that another push in progress needs.
func TestAClaimRespectsSlots(t *testing.T) {
	onBoth(t, func(f *farm) {
		f.task(60)
		rows := make([]events.Draft, 60)
		for i := range rows {
			rows[i] = events.Draft{Row: i + 2, Params: []byte("{}")}
		}
		f.Add(f.t, "other", rows...)
		f.fine(f.Tasks.SetLimits(f.t.Context(), "acme", tasks.Limits{Slots: 30}))
		for i, want := range []int64{20, 10} {
			kind := []string{"k", "other"}[i]
			if claim := f.claimOf(kind, 1, 20, time.Minute); claim.Room != want {
				f.t.Errorf("kind %s: claimed %+v, want room for %d", kind, claim, want)
			}
		}
	})
}

// TestAStaleSlot checks that a slot whose row never ends counts for six to seven hours. The next
// rows of the tenant wait for the slot during this time.
func TestAStaleSlot(t *testing.T) {
	onBoth(t, func(f *farm) {
		feeder := feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, feed.Options{
			Window: 100, MinWindow: 100, Now: func() time.Time { return f.now },
		})
		feed := func() int64 {
			f.t.Helper()
			if err := feeder.Feed(f.t.Context()); err != nil {
				f.t.Fatal(err)
			}
			st, err := f.Queue.Stats(f.t.Context(), "k")
			if err != nil {
				f.t.Fatal(err)
			}
			return st.Length
		}
		if err := f.Tasks.SetLimits(f.t.Context(), "acme", tasks.Limits{Slots: 10}); err != nil {
			f.t.Fatal(err)
		}
		task := f.task(40)
		feed()
		f.finish(task.Num, 1, 4)
		for _, step := range []struct {
			after time.Duration
			want  int64
		}{{0, 14}, {5 * time.Minute, 14}, {5 * time.Hour, 14}, {time.Hour, 14}, {time.Hour, 24}} {
			f.now = f.now.Add(step.after)
			if n := feed(); n != step.want { // with the 4 ended rows that no worker has acked
				f.t.Errorf("%d keys in Redis, want %d", n, step.want)
			}
		}
	})
}

// TestPriorities checks that tasks of a higher priority are fed first, and tasks of the same
// priority by age.
func TestPriorities(t *testing.T) {
	onBoth(t, func(f *farm) {
		first, second, third := f.task(3), f.task(3), f.task(3)
		if err := f.DB.Write.Model(third).Update("priority", 5).Error; err != nil {
			f.t.Fatal(err)
		}
		feeder := feed.NewFeeder(f.Tasks, f.Events, f.Queue, f.Kinds, feed.Options{Window: 100, Chunk: 3})
		var order []int64
		ctx := f.t.Context()
		feeds := func() []lanes.Feed {
			all, err := lanes.New(f.Tasks).Feeds(ctx)
			if err != nil {
				f.t.Fatal(err)
			}
			return all
		}
		for _, feed := range feeds() {
			order = append(order, feed.Num)
		}
		if want := []int64{third.Num, first.Num, second.Num}; !slices.Equal(order, want) {
			f.t.Errorf("fed in the order %v, want %v", order, want)
		}
		if err := feeder.Feed(ctx); err != nil {
			f.t.Fatal(err)
		}
		for _, feed := range feeds() {
			if feed.Unfed != 0 {
				f.t.Errorf("task %d: %d rows wait", feed.Num, feed.Unfed)
			}
		}
	})
}

// TestTooManyFailures checks that the first row above the limit stops the task.
func TestTooManyFailures(t *testing.T) {
	onBoth(t, func(f *farm) {
		task := f.task(50)
		if err := f.DB.Write.Model(task).Update("max_failures", 5).Error; err != nil {
			f.t.Fatal(err)
		}
		f.feed()
		fail := func(seq int64) {
			f.t.Helper()
			_, err := f.Events.Record(f.t.Context(), []events.Move{{
				ID: events.NewID(task.Num, seq), From: events.Enqueue, To: events.Failed, Attempt: 1,
				FinishedAt: 1, Failure: &events.Failure{Code: "X", Message: fmt.Sprint(seq)},
			}})
			if err != nil {
				f.t.Fatal(err)
			}
		}
		for seq := range int64(5) {
			fail(seq + 1)
		}
		f.is(task, tasks.Running, 0)
		fail(6)
		f.is(task, tasks.Canceling, 0)
		c := f.canceler()
		f.cancels(c)
		f.now = f.now.Add(4 * time.Second)
		f.cancels(c)
		f.is(task, tasks.Canceled, 44)
		now, err := f.Tasks.Get(f.t.Context(), "acme", task.ID)
		if err != nil || now.Failed != 6 || now.Problem == nil || now.Problem.Code != "TOO_MANY_FAILURES" {
			f.t.Errorf("failed %d, problem %+v, %v", now.Failed, now.Problem, err)
		}
	})
}

// TestCancel_RowThatAWorkerHolds_EndsAsItDid cancels a task while a worker holds a row. The process
// records the end of the row late, and the row keeps that end.
func TestCancel_RowThatAWorkerHolds_EndsAsItDid(t *testing.T) {
	on(t, func(f *farm) {
		f.feed()
		task := f.task(3)
		f.feed()
		hold := make(chan struct{})
		got := f.works(hold)
		held := <-got
		f.cancel(task)
		c := f.canceler()
		f.cancels(c)
		f.now = f.now.Add(4 * time.Second)
		f.cancels(c)
		e, err := f.Events.Get(f.t.Context(), held)
		if err != nil || e.Status != events.Enqueue {
			f.t.Fatalf("%+v, %v: a worker holds the row", e, err)
		}
		f.ends(held, events.Finish)
		close(hold)
		for left := int64(2); left > 0; { // the worker gives up what it holds, one by one
			f.now = f.now.Add(4 * time.Second)
			f.cancels(c)
			now, err := f.Tasks.Get(f.t.Context(), "acme", task.ID)
			if err != nil {
				f.t.Fatal(err)
			}
			left = now.Enqueue
		}
		f.is(task, tasks.Canceled, 2)
	})
}

// TestCancel_OfARerun_EndsTheRerunOnly cancels a re-run. The task gets the status that its
// rows give, and the rows stay open for repair.
func TestCancel_OfARerun_EndsTheRerunOnly(t *testing.T) {
	on(t, func(f *farm) {
		f.feed()
		task := f.keyed(3, 2, 3)
		f.feed()
		f.ends(events.NewID(task.Num, 1), events.Finish)
		f.finds(task, tasks.FinishedWithFailures, 1, 1, 2)
		f.resubmitInvalid(task.Num, 2)
		f.feed()
		f.cancel(task)
		c := f.canceler()
		f.cancels(c)
		f.now = f.now.Add(4 * time.Second)
		f.cancels(c)
		f.finds(task, tasks.FinishedWithFailures, 2, 1, 2)
		f.is(task, tasks.FinishedWithFailures, 0)
		e, err := f.Events.Get(f.t.Context(), events.NewID(task.Num, 2))
		if err != nil || e.State() != events.Open || e.Code == nil || *e.Code != events.CodeCanceled {
			f.t.Errorf("%+v, %v", e, err)
		}
		f.resubmitInvalid(task.Num, 2, 3)
		f.finds(task, tasks.Running, 3, 1, 0)
	})
}
