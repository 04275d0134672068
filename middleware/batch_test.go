package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// of sets the key of a delivery, and returns the delivery.
func of(key string, d *queue.Delivery) *queue.Delivery { d.Key = "acme/" + key; return d }

// batch returns a kind whose handler applies f to its jobs, by their numbers: "1" is the first job of a file.
func batch(f func(rows map[string]*worker.Job[none]) error, opts ...worker.Option) jobs.Kind {
	return jobs.KindOf(worker.DefineBatch("k", func(_ context.Context, b *worker.Batch[none]) error {
		rows := map[string]*worker.Job[none]{}
		for _, list := range b.Keys() {
			for _, j := range list {
				rows[fmt.Sprint(j.Row-1)] = j
			}
		}
		return f(rows)
	}, append(opts, worker.MaxRetries(1), worker.RetryIn(func(int) time.Duration { return time.Minute }))...))
}

type byRow = map[string]*worker.Job[none]

func TestBatches(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	three := func() []*queue.Delivery {
		return []*queue.Delivery{of("a", delivery(1, 0)), of("a", delivery(2, 0)), of("b", delivery(3, 0))}
	}
	tests := []struct {
		name    string
		f       func(byRow) error
		want    []queue.Kind
		written []string
	}{
		{
			"nil finishes all", func(byRow) error { return nil },
			[]queue.Kind{queue.Done, queue.Done, queue.Done},
			[]string{"1: enqueue 0 > finish 1", "2: enqueue 0 > finish 1", "3: enqueue 0 > finish 1"},
		},
		{
			"an error counts once for each key", func(byRow) error { return boom },
			[]queue.Kind{queue.Retry, queue.Return, queue.Retry},
			[]string{"1: enqueue 0 > enqueue 1", "3: enqueue 0 > enqueue 1"},
		},
		{
			"a panic is that of the unresolved",
			func(j byRow) error { j["1"].Resolve(nil); j["2"].Resolve(nil); panic("ouch") },
			[]queue.Kind{queue.Done, queue.Done, queue.Retry},
			[]string{"1: enqueue 0 > finish 1", "2: enqueue 0 > finish 1", "3: enqueue 0 > enqueue 1"},
		},
		{
			"a job's own failure is no other's", func(j byRow) error { j["1"].Resolve(worker.Fail("X", "no")); return nil },
			[]queue.Kind{queue.Done, queue.Done, queue.Done},
			[]string{"1: enqueue 0 > failed 1", "2: enqueue 0 > finish 1", "3: enqueue 0 > finish 1"},
		},
		{
			"the newer ones of a key run again behind a retry",
			func(j byRow) error { j["1"].Resolve(boom); j["2"].Resolve(nil); return nil },
			[]queue.Kind{queue.Retry, queue.Return, queue.Done},
			[]string{"1: enqueue 0 > enqueue 1", "3: enqueue 0 > finish 1"},
		},
		{
			"but not behind a job that is dead",
			func(j byRow) error { j["1"].Resolve(worker.NoRetry(boom)); return nil },
			[]queue.Kind{queue.Dead, queue.Done, queue.Done},
			[]string{"1: enqueue 0 > error 1", "2: enqueue 0 > finish 1", "3: enqueue 0 > finish 1"},
		},
		{
			"a superseded job ends with the newer one, however that ends",
			func(j byRow) error { j["1"].Superseded(j["2"]); j["2"].Resolve(worker.NoRetry(boom)); return nil },
			[]queue.Kind{queue.Done, queue.Dead, queue.Done},
			[]string{"1: enqueue 0 > finish 1", "2: enqueue 0 > error 1", "3: enqueue 0 > finish 1"},
		},
		{
			"a superseded job waits for the retry of the newer one",
			func(j byRow) error { j["1"].Superseded(j["2"]); j["2"].Resolve(boom); return nil },
			[]queue.Kind{queue.Return, queue.Retry, queue.Done},
			[]string{"2: enqueue 0 > enqueue 1", "3: enqueue 0 > finish 1"},
		},
		{
			"a superseded job waits for the snooze of the newer one",
			func(j byRow) error { j["1"].Superseded(j["2"]); j["2"].Resolve(worker.Snooze(time.Hour)); return nil },
			[]queue.Kind{queue.Return, queue.Return, queue.Done},
			[]string{"3: enqueue 0 > finish 1"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newBook()
			if diff := cmp.Diff(tt.want, handle(t, b, batch(tt.f), three()...)); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.written, b.written()); diff != "" {
				t.Errorf("writes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSupersededNamesTheNewerRow(t *testing.T) {
	t.Parallel()
	b := newBook()
	k := batch(func(j byRow) error { return nil }, worker.Latest())
	if got := handle(t, b, k, delivery(1, 0), delivery(2, 0)); got[0] != queue.Done || got[1] != queue.Done {
		t.Errorf("outcomes %v, want done", got)
	}
	m := b.moves[0]
	if string(m.Result) != `{"superseded_by":"t.2"}` || m.Notes[0].Text != "superseded by t.2" {
		t.Errorf("result %s, notes %+v", m.Result, m.Notes)
	}
	if b.moves[1].Result != nil || b.moves[1].Notes != nil {
		t.Errorf("the newest has result %s, notes %+v", b.moves[1].Result, b.moves[1].Notes)
	}
}

// TestLatestRunsTheNewestOfEachKey covers kinds without a batch handler, key by key.
func TestLatestRunsTheNewestOfEachKey(t *testing.T) {
	t.Parallel()
	var ran []string
	k := jobs.KindOf(worker.Define("k", func(_ context.Context, job *worker.Job[none]) error {
		ran = append(ran, job.ID)
		return nil
	}, worker.Latest(), worker.BatchSize(2)))
	b := newBook()
	handle(t, b, k, of("a", delivery(1, 0)), of("a", delivery(2, 0)), of("b", delivery(3, 0)))
	if diff := cmp.Diff([]string{"t.2", "t.3"}, ran); diff != "" || len(b.moves) != 3 {
		t.Errorf("%d moves; ran (-want +got):\n%s", len(b.moves), diff)
	}
}

func TestALateHandlersOwnErrorNamesTheTimeout(t *testing.T) {
	t.Parallel()
	k := jobs.KindOf(worker.Define("k", func(ctx context.Context, _ *worker.Job[none]) error {
		<-ctx.Done()
		return fmt.Errorf("asking the shop: %w", ctx.Err())
	}, worker.Timeout(time.Millisecond)))
	b := newBook()
	handle(t, b, k, delivery(1, 0))
	want := "took longer than 1ms: asking the shop: context deadline exceeded"
	if text := b.moves[0].Notes[0].Text; text != want {
		t.Errorf("note %q, want %q", text, want)
	}
}

// TestAStopPutsBackWhatHasNotEnded resolves one job of a batch before the stop.
func TestAStopPutsBackWhatHasNotEnded(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancelCause(t.Context())
	k := batch(func(j byRow) error {
		j["1"].Resolve(nil)
		stop(queue.ErrInterrupted)
		return ctx.Err()
	})
	b := newBook()
	rec := middleware.NewRecorder(b, middleware.Options{WorkingAfter: time.Hour})
	rec.Start()
	first, second := of("a", delivery(1, 0)), of("b", delivery(2, 0))
	list := []*queue.Delivery{first, second}
	if err := middleware.Track(k, rec).Handle(ctx, &queue.Batch{Deliveries: list}); err != nil {
		t.Error(err)
	}
	rec.Stop(10 * time.Second)
	if o, _ := second.Outcome(); o.Kind != queue.Return {
		t.Errorf("outcome %v, want return", o.Kind)
	}
	if diff := cmp.Diff([]string{"1: enqueue 0 > finish 1"}, b.written()); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
}
