package worker_test

import (
	"context"
	"sync"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestAfter_WorkersRun_JobsRunInTurn: a job of another kind starts when the task has ended, and the one
// behind it when that has ended, too.
func TestAfter_WorkersRun_JobsRunInTurn(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		s := &shop{T: t}
		var mu sync.Mutex
		var ran []string
		note := func(_ context.Context, job *worker.Job[map[string]any]) error {
			mu.Lock()
			defer mu.Unlock()
			ran = append(ran, job.Kind)
			return nil
		}
		first, second, third := worker.Define("first", note), worker.Define("second", note), worker.Define("third", note)
		s.Service = fixture.New(t, fixture.Options{Ledger: url, Kinds: fixture.Kinds(first, second, third)})
		s.client = newClient(s.DB, s.Queue, s.Kinds, enqueue.Options{})
		row := map[string]any{"n": 1}
		held, err := first.Enqueue(s.Context(), s.client, row)
		s.fine(err)
		s.fine(s.Tasks.Pause(s.Context(), "default", held.TaskID))
		next, err := second.Enqueue(s.Context(), s.client, row, worker.After(held.TaskID))
		s.fine(err)
		last, err := third.Enqueue(s.Context(), s.client, row, worker.AfterSuccess(next.TaskID, held.TaskID))
		s.fine(err)
		s.work()
		s.fine(s.Tasks.Resume(s.Context(), "default", held.TaskID))
		if st := s.await(last.TaskID); st != tasks.Finished {
			s.Errorf("the last task is %s", st)
		}
		if len(ran) != 3 || ran[0] != "first" || ran[1] != "second" || ran[2] != "third" {
			s.Errorf("they ran in the order %v", ran)
		}
	})
}
