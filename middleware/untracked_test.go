package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestUntrackedJobs runs jobs on the queue alone, with each outcome.
func TestUntrackedJobs(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	var mu sync.Mutex
	runs := map[string]int{}
	k := worker.Define("k", func(ctx context.Context, job *worker.Job[struct{ N int }]) error {
		mu.Lock()
		defer mu.Unlock()
		runs[fmt.Sprintf("%s/%s %d", job.Tenant, job.Key, job.Args.N)]++
		switch {
		case job.Key == "bad":
			return worker.Fail("X", "no")
		case job.Key == "dead":
			return worker.NoRetry(errors.New("boom"))
		case job.Key == "flaky" && job.Attempt == 1:
			panic("ouch")
		case !errors.Is(worker.Save(ctx, job, 1), worker.ErrUntracked):
			t.Error("a checkpoint was saved")
		}
		return nil
	}, worker.Track(false), worker.Shards(1), worker.RetryIn(func(int) time.Duration { return 0 }))

	n := r.start(k)
	for i, key := range []string{"good", "bad", "dead", "flaky"} {
		job := queue.Job{Queue: "k", Key: "acme/" + key, Payload: fmt.Appendf(nil, `{"N":%d}`, i)}
		if err := n.Queue.Push(t.Context(), job); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, func() bool {
		st, err := n.Queue.Stats(t.Context(), "k")
		return err == nil && st.Length == 0 && st.Busy == 0 && st.MorgueLength == 1
	})
	want := map[string]int{"acme/good 0": 1, "acme/bad 1": 1, "acme/dead 2": 1, "acme/flaky 3": 2}
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff(want, runs); diff != "" {
		t.Errorf("runs (-want +got):\n%s", diff)
	}
	var rows int64
	if err := r.DB.Read.Model(&events.Event{}).Count(&rows).Error; err != nil || rows != 0 {
		t.Errorf("%d events, %v; want none", rows, err)
	}
}

// TestUntrackedJobsCallTheHook runs a batch without a ledger.
func TestUntrackedJobsCallTheHook(t *testing.T) {
	t.Parallel()
	var ran []string
	rec := middleware.NewRecorder(nil, middleware.Options{
		OnRun: func(_ context.Context, r middleware.FinishedRun) {
			ran = append(ran, r.Call.Kind+" "+r.Outcome+" "+r.Code+" "+r.Fault)
		},
	})
	k := jobs.KindOf(worker.DefineBatch("k", func(_ context.Context, b *worker.Batch[none]) error {
		for key, list := range b.Keys() {
			if key == "b" {
				list[0].Resolve(worker.Fail("X", "no"))
			}
		}
		return errors.New("boom")
	}, worker.Track(false), worker.MaxRetries(5)))
	bare := func(key string) *queue.Delivery {
		return &queue.Delivery{Key: "acme/" + key, Payload: []byte("{}"), RetryCount: -1}
	}
	list := []*queue.Delivery{bare("a"), bare("b")}
	if err := middleware.Track(k, rec).Handle(t.Context(), &queue.Batch{Deliveries: list}); err != nil {
		t.Error(err)
	}
	for i, want := range []queue.Kind{queue.Retry, queue.Done} {
		if o, _ := list[i].Outcome(); o.Kind != want {
			t.Errorf("outcome %d is %v, want %v", i, o.Kind, want)
		}
	}
	if diff := cmp.Diff([]string{"k retry  boom", "k failed X "}, ran); diff != "" {
		t.Errorf("reported (-want +got):\n%s", diff)
	}
}
