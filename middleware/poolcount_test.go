package middleware_test

import (
	"context"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/worker"
)

// TestGroupTx_ResumedRowsThatWaitForAHandler_DoNotCountAsWorking checks that only rows whose handler
// runs count as working. The rows of a resumed task are checked in the ledger before they run.
func TestGroupTx_ResumedRowsThatWaitForAHandler_DoNotCountAsWorking(t *testing.T) {
	on(t, func(r *rig) {
		const rows = 100
		keys := make([]string, rows)
		for i := range keys {
			keys[i] = strconv.Itoa(i)
		}
		task := r.task("k", keys...)
		if err := r.Tasks.Pause(r.t.Context(), "acme", task.ID); err != nil {
			r.t.Fatal(err)
		}
		if err := r.Tasks.Resume(r.t.Context(), "acme", task.ID); err != nil {
			r.t.Fatal(err)
		}
		var running, most atomic.Int64
		r.start(worker.DefineTx("k", func(context.Context, worker.Tx, *worker.Job[none]) error {
			most.Store(max(most.Load(), running.Add(1)))
			defer running.Add(-1)
			time.Sleep(200 * time.Millisecond)
			return nil
		}, worker.Shards(1), worker.BatchSize(20)))
		for {
			now, err := r.Tasks.Get(r.t.Context(), "acme", task.ID)
			if err != nil {
				r.t.Fatal(err)
			}
			if now.Working > 25 {
				r.t.Fatalf("%d rows count as working, but at most %d handlers ran at once", now.Working, most.Load())
			}
			if now.Status.Done() {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		if now := r.await(task); now.Finish != rows {
			r.t.Errorf("%+v", now)
		}
		r.recounted(task)
	})
}
