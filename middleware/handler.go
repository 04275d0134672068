package middleware

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/queue"
)

// run calls the next handler once for the given runs. It passes the outcomes of tracked jobs to the
// recorder. If this node has lost the lease of the runs' shard, run drops the outcomes: the jobs run
// again on another node.
func (t *tracker) run(ctx context.Context, b batch, xs []*run) {
	if len(xs) == 0 {
		return
	}
	defer givePermits(ctx, xs)
	begun := t.rec.opt.Now()
	for _, x := range xs {
		x.begun = begun
		if !x.workingNoted && !t.kind.Untracked {
			t.rec.begin(x)
		}
	}
	ctx, started := t.rec.callStarted(ctx, xs)
	defer t.rec.callReturned(started)
	if t.rec.opt.OnStart != nil {
		ctx = t.rec.opt.OnStart(ctx, callsOf(xs))
	}
	stack, err := t.call(ctx, b, xs)
	if errors.Is(context.Cause(ctx), queue.ErrLeaseLost) {
		t.drop(ctx, xs)
		return
	}
	ended := t.rec.opt.Now()
	if len(xs) > 1 {
		t.linkSuperseded(xs)
	}
	for _, x := range xs {
		x.ended, x.took = ended, ended.Sub(begun)
		t.classify(ctx, x, err, stack)
	}
	t.keepOrder(xs, ended)
	for _, x := range xs {
		x.delivery.Resolve(x.next)
		t.rec.opt.OnRun(ctx, x.finishedRun(x.outcomeName()))
	}
	if t.kind.Untracked {
		t.logOutcomes(ctx, xs)
		return
	}
	t.rec.progress.end(xs)
}

// drop ends runs without recording an outcome, because this node has lost the lease of their shard.
func (t *tracker) drop(ctx context.Context, xs []*run) {
	for _, x := range xs {
		x.took = t.rec.opt.Now().Sub(x.begun)
		t.rec.opt.OnRun(ctx, x.finishedRun("lost", ""))
		if t.kind.Untracked {
			x.delivery.Resolve(queue.Outcome{Kind: queue.Return})
		} else {
			t.rec.drop(x)
		}
	}
}

// call calls the next handler, within the timeout of the kind. It returns a panic as a system fault,
// even if the handler panicked with a business failure.
func (t *tracker) call(ctx context.Context, b batch, xs []*run) (stack string, err error) {
	if t.kind.Timeout > 0 {
		var cancel context.CancelFunc
		late := fmt.Errorf("took longer than %v", t.kind.Timeout)
		ctx, cancel = context.WithTimeoutCause(ctx, t.kind.Timeout, late)
		defer cancel()
		defer func() {
			if err != nil && context.Cause(ctx) == late && !errors.Is(err, late) {
				err = fmt.Errorf("%w: %w", late, err)
			}
		}()
	}
	for _, x := range xs {
		t.setServices(ctx, x)
	}
	err = t.next(jobs.WithCalls(ctx, callsOf(xs)...), b.part(xs))
	if p := (*queue.PanicError)(nil); errors.As(err, &p) {
		return string(p.Stack), errors.New(fmt.Sprint(err)) // only the text: a business failure inside the panic does not count
	}
	return "", err
}

func callsOf(xs []*run) []*jobs.Call {
	calls := make([]*jobs.Call, len(xs))
	for i, x := range xs {
		calls[i] = x.call
	}
	return calls
}

// classify sets the outcome of a run. It uses the outcome that the handler has set for the job, or otherwise
// the error of the handler. The methods of this error and the kind's RetryIn are code of the application and
// may panic. The outcome is then a system fault, and a retry uses the queue's default pause.
func (t *tracker) classify(ctx context.Context, x *run, err error, stack string) {
	defer func() {
		if p := recover(); p != nil {
			x.outcome = jobs.Outcome{Kind: jobs.Retry, Err: fmt.Errorf("panic: %v", p)}
			x.stack, x.fault = string(debug.Stack()), events.TypePanic
			plain := queue.Worker{MaxRetries: t.retries.MaxRetries}
			x.next = plain.Next(x.retries(), x.outcome.Err, t.rec.opt.Now())
		}
	}()
	if own, ok := x.call.Resolved(); ok {
		err, stack = own, ""
	}
	x.stack = stack
	x.outcome = t.kind.ClassifyError(ctx, err, queue.ErrInterrupted)
	x.outcome.Failure = t.kind.ShowFailure(x.outcome.Failure)
	if x.outcome.Err != nil {
		x.text, x.fault = textutil.Truncate(x.outcome.Err.Error(), maxText), faultType(x.outcome.Err)
		if stack != "" {
			x.fault = events.TypePanic
		}
	}
	x.next = t.outcome(x)
}

// outcome returns the outcome that the queue gets for the job after the commit.
func (t *tracker) outcome(x *run) queue.Outcome {
	now := t.rec.opt.Now()
	switch v := x.outcome; v.Kind {
	case jobs.Finish, jobs.Failed:
		return queue.Outcome{Kind: queue.Done}
	case jobs.Later:
		return queue.Outcome{Kind: queue.Return, At: now.Add(v.Delay)}
	case jobs.Interrupted:
		return queue.Outcome{Kind: queue.Return}
	case jobs.Dead:
		return queue.Outcome{Kind: queue.Dead, Err: x.text}
	default:
		next := t.retries.Next(x.retries(), v.Err, now)
		if next.Kind == queue.Retry && v.Delay > 0 {
			next.At = now.Add(v.Delay)
		}
		// Redelivered makes the next run read the count of attempts in the ledger. The queue counts
		// retries by key and does not count crashes.
		next.Redelivered = !t.kind.Untracked
		return next
	}
}

// retries returns a delivery with the retry count of the job. This is the greater of the counts in
// Redis and in the ledger, since Redis may have lost its count. Attempts before a resubmission do not
// count, so a resubmitted job has all its retries again.
func (x *run) retries() *queue.Delivery {
	return &queue.Delivery{RetryCount: max(x.delivery.RetryCount, x.attempt-x.spared-1)}
}
