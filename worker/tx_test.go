package worker_test

import (
	"context"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestDefineTx_WithoutAHandlerOrARecord_Panics: the mistake is found at the start.
func TestDefineTx_WithoutAHandlerOrARecord_Panics(t *testing.T) {
	t.Parallel()
	handler := func(context.Context, worker.Tx, *worker.Job[order]) error { return nil }
	for name, define := range map[string]func(){
		"no handler": func() { worker.DefineTx[order]("k", nil) },
		"untracked":  func() { worker.DefineTx("k", handler, worker.Track(false)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: DefineTx returned", name)
				}
			}()
			define()
		}()
	}
	k := jobs.KindOf(worker.DefineTx("k", handler, worker.BatchSize(7)))
	if !k.Tx || k.BatchSize != 7 || k.Batch {
		t.Errorf("the kind is %+v", k)
	}
}
