package worker_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/worker"
	"github.com/rollcall-dev/rollcall/worker/workertest"
)

// TestRun_EachEndOfAJob_IsReturned waits through a retry, a failure and a system error.
func TestRun_EachEndOfAJob_IsReturned(t *testing.T) {
	t.Parallel()
	down := errors.New("the shop does not answer")
	quote := worker.Define("quotes.make", func(_ context.Context, job *worker.Job[order]) error {
		switch {
		case job.Args.State == "unknown":
			return worker.Fail("ORDER_UNKNOWN", "no such order").Column("State")
		case job.Args.State == "down", job.Args.State == "flaky" && job.Attempt == 1:
			return down
		}
		return job.Result(job.Attempt)
	}, worker.MaxRetries(1), worker.RetryIn(func(int) time.Duration { return 0 }))
	c := workertest.New(t, worker.NewRegistry(quote)).Client()
	if n, err := worker.ResultOf[int](quote.Run(t.Context(), c, order{"flaky"})); n != 2 || err != nil {
		t.Errorf("a retried job returned %d, %v", n, err)
	}
	var f *worker.Failure
	if _, err := quote.Run(t.Context(), c, order{"unknown"}); !errors.As(err, &f) || f.Code != "ORDER_UNKNOWN" || f.Failure.Column != "State" {
		t.Errorf("a failed job returned %v", err)
	}
	if _, err := quote.Run(t.Context(), c, order{"down"}); !errors.Is(err, worker.ErrDead) {
		t.Errorf("a job in error returned %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(down)
	if _, err := quote.Run(ctx, c, order{"new"}, worker.Delay(time.Hour)); !errors.Is(err, down) && !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that is gone got %v", err)
	}
	bare := worker.Define("quotes.bare", noop[order], worker.Track(false))
	if _, err := bare.Run(t.Context(), c, order{}); !errors.Is(err, worker.ErrUntracked) {
		t.Errorf("an untracked kind: %v", err)
	}
	if _, err := worker.ResultOf[int](worker.Result(`"text"`), nil); err == nil {
		t.Error("a text was decoded as a number")
	}
}
