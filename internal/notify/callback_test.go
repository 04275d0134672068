package notify_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

func nothing(context.Context, *worker.Job[struct{}]) error { return nil }

// notes holds the calls of callbacks, of all offices of a test.
type notes struct {
	mu   sync.Mutex
	done []worker.TaskDone
	dead [][]worker.DeadJob
}

func (n *notes) took(t worker.TaskDone) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.done = append(n.done, t)
}

// of returns the calls for one task.
func (n *notes) of(task *tasks.Task) (out []worker.TaskDone) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, t := range n.done {
		if t.TaskID == task.ID {
			out = append(out, t)
		}
	}
	return out
}

func TestCallbacks_ManyDeliverers_AreCalledOnce(t *testing.T) {
	var book notes
	took := func(_ context.Context, t worker.TaskDone) error { book.took(t); return nil }
	offices(t, func(o *office) {
		var all []*tasks.Task
		for range 20 {
			all = append(all, o.end("acme", nil, events.Finish, events.Failed, events.Finish))
		}
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(o.deliver)
		}
		wg.Wait()
		for _, task := range all {
			got := book.of(task)
			if len(got) != 2 {
				o.t.Fatalf("reported %d times, want of the first failure and of the end: %+v", len(got), got)
			}
			end := got[0]
			if end.Outcome == "" {
				end = got[1]
			}
			want := worker.TaskDone{
				ID: "msg_" + task.ID + "_task_finished_1", TaskID: task.ID, Tenant: "acme", Kind: "k",
				Name: "spring", Round: 1, Status: tasks.FinishedWithFailures, Outcome: "partial",
				Counts: worker.Counts{Total: 3, Finish: 2, Failed: 1},
				Labels: map[string]string{"campaign": "spring"}, At: end.At,
				Causes: []worker.Cause{{Status: events.Failed, Code: "BROKEN", Count: 1, FirstRow: 3}},
				First: &worker.DeadJob{
					EventID: task.ID + ".2", TaskID: task.ID, Tenant: "acme", Kind: "k", Key: "k", Row: 3, Attempt: 1,
					Params: []byte(`{"SKU":"a"}`), Code: "BROKEN", Message: "it broke",
				},
			}
			if diff := cmp.Diff(want, end); diff != "" || end.At.IsZero() {
				o.t.Errorf("reported (-want +got):\n%s", diff)
			}
		}
	}, worker.OnDone(took), worker.OnFirstFailure(took))
}

// TestCallbacks_FailPanicOrExit_AreRetriedEightTimes: each attempt is in the log.
func TestCallbacks_FailPanicOrExit_AreRetriedEightTimes(t *testing.T) {
	offices(t, func(o *office) {
		task := o.end("acme", func(t *tasks.Task) { t.Name = o.t.Name() }, events.Finish)
		for {
			o.deliver()
			d := o.only(notify.DeliveryFilter{TaskNum: task.Num, Limit: 5})
			if d.State == notify.StateDead {
				break
			}
			o.now.Store(d.NextAt)
		}
		d := o.only(notify.DeliveryFilter{TaskNum: task.Num, Limit: 5})
		log := d.Log()
		if d.Channel != notify.ChannelCallback || len(log) != 8 {
			o.t.Fatalf("delivery = %+v", d)
		}
		for i, want := range []string{"the shop is closed", "panic: oh", "ended its goroutine", "invalid memory address"} {
			if !strings.Contains(log[i].Error, want) {
				o.t.Errorf("attempt %d says %q, want %q", i+1, log[i].Error, want)
			}
		}
	}, worker.OnDone(trouble()))
}

// trouble returns a callback that fails in another way at each attempt of a task.
func trouble() func(context.Context, worker.TaskDone) error {
	var mu sync.Mutex
	tries := map[string]int{}
	return func(_ context.Context, t worker.TaskDone) error {
		mu.Lock()
		n := tries[t.TaskID]
		tries[t.TaskID]++
		mu.Unlock()
		switch n {
		case 1:
			panic("oh")
		case 2:
			runtime.Goexit()
		case 3:
			var none *worker.TaskDone
			return errors.New(none.Name)
		}
		return errors.New("the shop is closed")
	}
}

// TestCallbacks_SystemFault_GetItsRealError has one row in error and one failed row.
func TestCallbacks_SystemFault_GetItsRealError(t *testing.T) {
	var book notes
	took := func(_ context.Context, t worker.TaskDone) error { book.took(t); return nil }
	offices(t, func(o *office) {
		task := o.end("acme", nil, events.Finish, events.Enqueue, events.Enqueue)
		end := func(seq int64, to events.Status, f *events.Failure, ended events.Ending, text string) events.Move {
			return events.Move{
				ID: events.NewID(task.Num, seq), Row: int(seq) + 1, From: events.Enqueue, FromAttempt: 1, To: to, Attempt: 2,
				Failure: f, Notes: []events.Note{{Attempt: 2, Status: to, Text: text, Ended: &ended}},
			}
		}
		_, err := o.Events.Record(o.t.Context(), []events.Move{
			end(2, events.Error, rowschema.System(jobs.CodeSystem, "system", ""), events.Ending{Outcome: events.LastFault, Type: "*net.OpError"}, "dial: refused"),
			end(3, events.Failed, &events.Failure{Code: "X", Message: "no"}, events.Ending{Outcome: events.BusinessFault}, ""),
		})
		if err != nil {
			o.t.Fatal(err)
		}
		o.deliver()
		causes := []worker.Cause{
			{Status: events.Error, Code: jobs.CodeSystem, Err: "*net.OpError: dial: refused", Count: 1, FirstRow: 3},
			{Status: events.Failed, Code: "X", Count: 1, FirstRow: 4},
		}
		for _, got := range book.of(task) {
			if diff := cmp.Diff(causes, got.Causes); diff != "" || got.First == nil || got.First.Err != "dial: refused" {
				o.t.Errorf("%s: first %+v, causes (-want +got):\n%s", got.ID, got.First, diff)
			}
		}
		book.mu.Lock()
		defer book.mu.Unlock()
		if len(book.dead) == 0 || book.dead[len(book.dead)-1][0].Err != "dial: refused" ||
			book.dead[len(book.dead)-1][0].ErrType != "*net.OpError" {
			o.t.Errorf("dead jobs: %+v", book.dead)
		}
	}, worker.OnDone(took), worker.OnFirstFailure(took), worker.OnExhausted(func(_ context.Context, dead []worker.DeadJob) {
		book.mu.Lock()
		defer book.mu.Unlock()
		book.dead = append(book.dead, dead)
	}))
}

// TestCallbacks_ExhaustedJobs_ComeInGroupsOf100: jobs that were resubmitted meanwhile are omitted.
func TestCallbacks_ExhaustedJobs_ComeInGroupsOf100(t *testing.T) {
	var book notes
	offices(t, func(o *office) {
		var ends []events.Status
		for range 230 {
			ends = append(ends, events.Error)
		}
		task := o.end("acme", nil, append(ends, events.Finish)...)
		if err := o.DB.Write.Exec("UPDATE rollcall.events SET status = 'enqueue' WHERE row = 2").Error; err != nil {
			o.t.Fatal(err)
		}
		o.deliver()
		var sizes []int
		seen := map[string]bool{}
		book.mu.Lock()
		defer book.mu.Unlock()
		for _, group := range book.dead {
			if group[0].TaskID != task.ID {
				continue
			}
			sizes = append(sizes, len(group))
			for _, d := range group {
				seen[d.EventID] = true
				if d.Code != "BROKEN" || d.Message != "it broke" || string(d.Params) != `{"SKU":"a"}` || d.Attempt != 1 {
					o.t.Fatalf("dead = %+v", d)
				}
			}
		}
		if len(sizes) != 3 || len(seen) != 229 || seen[task.ID+".1"] || max(sizes[0], sizes[1], sizes[2]) > 100 {
			o.t.Errorf("groups of %v, %d jobs", sizes, len(seen))
		}
	}, worker.OnExhausted(func(_ context.Context, dead []worker.DeadJob) {
		book.mu.Lock()
		defer book.mu.Unlock()
		book.dead = append(book.dead, dead)
	}))
}

func TestCallbacks_UnknownKind_WaitForAnotherProgram(t *testing.T) {
	var book notes
	offices(t, func(o *office) {
		task := o.end("acme", nil, events.Finish)
		mine := o.Kinds
		o.Kinds = jobs.RegistryOf(worker.NewRegistry(worker.Define("other", nothing)))
		o.deliver()
		if got := book.of(task); len(got) != 0 {
			o.t.Fatalf("told by a stranger: %+v", got)
		}
		o.Kinds = mine
		o.deliver()
		if got := book.of(task); len(got) != 1 {
			o.t.Errorf("reported %d times", len(got))
		}
	}, worker.OnDone(func(_ context.Context, t worker.TaskDone) error { book.took(t); return nil }))
}

func TestCallbacks_ProcessStops_AttemptDoesNotCount(t *testing.T) {
	var begun sync.Map // task -> channel; the databases are tested side by side
	offices(t, func(o *office) {
		task := o.end("acme", nil, events.Finish)
		mine := make(chan struct{}, 10)
		begun.Store(task.ID, mine)
		ctx, stop := context.WithCancel(o.t.Context())
		defer stop()
		var wg sync.WaitGroup
		wg.Go(func() { o.deliverer().Run(ctx, nil) })
		select {
		case <-mine:
		case <-time.After(time.Minute):
			o.t.Error("the callback has not begun")
		}
		stop()
		wg.Wait()
		d := o.only(notify.DeliveryFilter{TaskNum: task.Num, Limit: 5})
		if d.State != notify.StateWaiting || d.Tries != 0 || d.NextAt > o.now.Load() {
			o.t.Errorf("delivery = %+v", d)
		}
	}, worker.OnDone(func(ctx context.Context, done worker.TaskDone) error {
		mine, _ := begun.Load(done.TaskID)
		mine.(chan struct{}) <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}))
}

func TestCallbacks_Timeout_IsCanceledAndLogged(t *testing.T) {
	offices(t, func(o *office) {
		task := o.end("acme", nil, events.Finish)
		o.patient(time.Millisecond)
		d := o.only(notify.DeliveryFilter{TaskNum: task.Num, Limit: 5})
		if log := d.Log(); d.Tries != 1 || !strings.Contains(log[0].Error, "took longer than 1ms") {
			o.t.Errorf("delivery = %+v", d)
		}
	}, worker.OnDone(func(ctx context.Context, _ worker.TaskDone) error {
		<-ctx.Done()
		return ctx.Err()
	}))
}
