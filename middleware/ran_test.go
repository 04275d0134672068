package middleware_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestOnlyTheFirstOfAKeyHasWaited checks that only the first job of a key waits for a worker; later
// ones wait for the first. The handler and OnRun get the context of OnStart.
func TestOnlyTheFirstOfAKeyHasWaited(t *testing.T) {
	t.Parallel()
	type mark struct{}
	due := time.Now().Add(-time.Minute)
	var waits []bool
	rec := middleware.NewRecorder(nil, middleware.Options{
		OnStart: func(ctx context.Context, calls []*jobs.Call) context.Context {
			return context.WithValue(ctx, mark{}, calls[0].Key)
		},
		OnRun: func(ctx context.Context, r middleware.FinishedRun) {
			waits = append(waits, r.Wait >= time.Minute)
			if r.Wait < time.Minute && r.Wait != -1 || ctx.Value(mark{}) != r.Call.Key {
				t.Errorf("%s waited %v, in the context of %v", r.Call.Key, r.Wait, ctx.Value(mark{}))
			}
		},
	})
	k := jobs.KindOf(worker.Define("k", func(ctx context.Context, job *worker.Job[none]) error {
		if ctx.Value(mark{}) != job.Key {
			t.Errorf("the handler of %s got the context of %v", job.Key, ctx.Value(mark{}))
		}
		return nil
	}, worker.Track(false)))
	job := func(key string) *queue.Delivery {
		return &queue.Delivery{Key: "acme/" + key, Payload: []byte("{}"), RetryCount: -1, RunAt: due}
	}
	list := []*queue.Delivery{job("a"), job("a"), job("b")}
	if err := middleware.Track(k, rec).Handle(t.Context(), &queue.Batch{Deliveries: list}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(waits, []bool{true, false, true}) {
		t.Errorf("waited for a worker: %v", waits)
	}
}
