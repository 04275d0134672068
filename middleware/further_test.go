package middleware_test

import (
	"context"
	"testing"

	"github.com/rollcall-dev/rollcall/worker"
)

// TestAHandlerMakesFurtherWork checks that a handler adds jobs for the tenant of its own job.
func TestAHandlerMakesFurtherWork(t *testing.T) {
	on(t, func(r *rig) {
		task := r.task("first", "a")
		made := make(chan worker.Ref, 1)
		second := worker.Define("second", func(context.Context, *worker.Job[none]) error { return nil })
		first := worker.Define("first", func(ctx context.Context, job *worker.Job[none]) error {
			ref, err := second.Enqueue(ctx, job.Client(), none{})
			if err == nil {
				made <- ref
			}
			return err
		})
		r.start(first, second)
		r.await(task)
		ref := <-made
		eventually(r.t, func() bool {
			next, err := r.Tasks.Get(r.t.Context(), "acme", ref.TaskID)
			return err == nil && next.Finish == 1
		})
	})
}
