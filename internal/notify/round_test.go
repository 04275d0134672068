package notify_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// resubmit resubmits bad rows of a task.
func (o *office) resubmit(task *tasks.Task, seqs ...int64) {
	o.t.Helper()
	r := decisions.Review{Num: task.Num, By: "ann"}
	for _, seq := range seqs {
		e, err := o.Events.Get(o.t.Context(), events.NewID(task.Num, seq))
		if err != nil {
			o.t.Fatal(err)
		}
		r.Rows = append(r.Rows, decisions.Decision{ID: e.ID, Version: e.Version, Resolution: events.Resubmitted})
	}
	if made, err := decisions.New(o.Events).Decide(o.t.Context(), r); err != nil || slices.Contains(made, false) {
		o.t.Fatal(made, err)
	}
}

// turns runs a waiting row to its end.
func (o *office) turns(task *tasks.Task, seq int64, to events.Status) {
	o.t.Helper()
	e, err := o.Events.Get(o.t.Context(), events.NewID(task.Num, seq))
	if err != nil {
		o.t.Fatal(err)
	}
	m := events.Move{
		ID: e.ID, Row: e.Row, From: events.Enqueue, FromAttempt: e.Attempt, To: to, Attempt: e.Attempt + 1,
		FinishedAt: o.now.Load(),
	}
	if to.Bad() {
		m.Failure = &events.Failure{Code: "BROKEN"}
	}
	if made, err := o.Events.Record(o.t.Context(), []events.Move{m}); err != nil || !made[0] {
		o.t.Fatal(made, err)
	}
}

// family adds a task without rows, and its only child, whose rows end with the given statuses.
func (o *office) family(ends ...events.Status) (parent, child *tasks.Task) {
	o.t.Helper()
	parent = &tasks.Task{ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Batch, Status: tasks.Open}
	if err := o.Tasks.Create(o.t.Context(), parent, time.Hour); err != nil {
		o.t.Fatal(err)
	}
	child = o.end("acme", func(t *tasks.Task) { t.ParentID = parent.ID }, ends...)
	if _, err := o.Events.Append(o.t.Context(), events.Chunk{Num: parent.Num, Final: true}); err != nil {
		o.t.Fatal(err)
	}
	return parent, child
}

func (o *office) is(task *tasks.Task, status tasks.Status, round, childrenDone int) {
	o.t.Helper()
	got, err := o.Tasks.Get(o.t.Context(), "acme", task.ID)
	if err != nil || got.Status != status || got.Round != round || int(got.ChildrenDone) != childrenDone {
		o.t.Errorf("%s in round %d, %d children done, %v; want %s in %d, %d", got.Status, got.Round,
			got.ChildrenDone, err, status, round, childrenDone)
	}
}

// TestDeliver_EachRound_IsDeliveredOnce runs several deliverers at once. The end of each round is
// delivered once, and so is its first failure. Some rounds end before the previous one is
// delivered. A parent waits for its child in each round.
func TestDeliver_EachRound_IsDeliveredOnce(t *testing.T) {
	var book notes
	took := func(_ context.Context, t worker.TaskDone) error { book.took(t); return nil }
	offices(t, func(o *office) {
		hook := o.webhook("acme", "/a")
		parent, child := o.family(events.Finish, events.Failed, events.Error)
		o.is(parent, tasks.Finished, 1, 1)
		o.deliverAtOnce()

		o.resubmit(child, 2)
		o.is(parent, tasks.Running, 2, 0)
		o.resubmit(child, 3)
		o.is(child, tasks.Running, 3, 0) // a new round, because fewer rows are at rest
		o.is(parent, tasks.Running, 2, 0)
		o.turns(child, 2, events.Failed)
		o.is(parent, tasks.Running, 2, 0)
		o.turns(child, 3, events.Failed)
		o.is(child, tasks.FinishedWithFailures, 3, 0)
		o.is(parent, tasks.Finished, 2, 1)

		o.resubmit(child, 2, 3) // no deliverer has delivered the second round yet
		o.turns(child, 2, events.Finish)
		o.deliverAtOnce()
		o.is(parent, tasks.Running, 3, 0)
		o.turns(child, 3, events.Finish)
		o.is(child, tasks.Finished, 4, 0)
		o.is(parent, tasks.Finished, 3, 1)
		o.deliverAtOnce()
		o.deliverAtOnce()

		want := map[string]int{}
		for _, round := range []int{1, 2, 3} {
			want[fmt.Sprintf("/a msg_%s_task_finished_%d", parent.ID, round)] = 1
		}
		for _, round := range []int{1, 3, 4} { // no row failed or ended in the second
			want[fmt.Sprintf("/a msg_%s_task_finished_%d", child.ID, round)] = 1
			if round < 4 {
				want[fmt.Sprintf("/a msg_%s_task_first_failure_%d", child.ID, round)] = 1
			}
		}
		o.same("webhook "+hook.ID, want, o.inbox.counts())
		deliveries := map[string]int{}
		for _, d := range append(book.of(child), book.of(parent)...) {
			deliveries["/a "+d.ID]++
			if d.TaskID == child.ID && d.Round == 3 && d.Outcome != "" && d.Counts.Failed != 2 {
				o.t.Errorf("the third round is told as %+v", d)
			}
		}
		o.same("callbacks", want, deliveries)
	}, worker.OnDone(took), worker.OnFirstFailure(took))
}

func (o *office) deliverAtOnce() {
	o.t.Helper()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(o.deliver)
	}
	wg.Wait()
}

func (o *office) same(who string, want, got map[string]int) {
	o.t.Helper()
	for id, n := range want {
		if got[id] != n {
			o.t.Errorf("%s: %s came %d times, want %d", who, id, got[id], n)
		}
	}
	for id := range got {
		if want[id] == 0 {
			o.t.Errorf("%s: %s came", who, id)
		}
	}
}

// TestRound_ParentIsCanceled_StaysCanceled: a child of a canceled parent runs again.
func TestRound_ParentIsCanceled_StaysCanceled(t *testing.T) {
	offices(t, func(o *office) {
		parent, child := o.family(events.Finish, events.Failed)
		if err := o.DB.Write.Model(parent).Update("status", tasks.Canceled).Error; err != nil {
			o.t.Fatal(err)
		}
		o.resubmit(child, 2)
		o.is(child, tasks.Running, 2, 0)
		o.is(parent, tasks.Canceled, 1, 0)
		o.turns(child, 2, events.Finish)
		o.is(child, tasks.Finished, 2, 0)
		o.is(parent, tasks.Canceled, 1, 1)
	})
}
