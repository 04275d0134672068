package worker_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestEnqueue_ManyCallersAtOnce_EachHasItsOwnJob makes many callers share a few transactions.
func TestEnqueue_ManyCallersAtOnce_EachHasItsOwnJob(t *testing.T) {
	on(t, func(s *shop) {
		const callers = 60
		refs := make([]worker.Ref, callers)
		var all sync.WaitGroup
		for i := range callers {
			all.Go(func() {
				var err error
				refs[i], err = s.plain.Enqueue(s.Context(), s.client, map[string]any{"n": i}, worker.Key(fmt.Sprint("key ", i)))
				if err != nil {
					s.Error(err)
				}
			})
		}
		all.Wait()
		for i, ref := range refs {
			s.isJob(ref, fmt.Sprint("key ", i), fmt.Sprintf(`{"n":%d}`, i))
		}
		s.work()
		for _, ref := range refs {
			if st := s.await(ref.TaskID); st != tasks.Finished {
				s.Errorf("%s is %s", ref.ID, st)
			}
		}
	})
}

// isJob checks that the ledger has the job of a ref.
func (s *shop) isJob(ref worker.Ref, key, params string) {
	s.Helper()
	s.isJobOf("default", ref, key, params)
}

// isJobOf is like isJob, for any tenant.
func (s *shop) isJobOf(tenant string, ref worker.Ref, key, params string) {
	s.Helper()
	task, err := s.Tasks.Get(s.Context(), tenant, ref.TaskID)
	s.fine(err)
	job, err := s.Events.Get(s.Context(), events.NewID(task.Num, 1))
	s.fine(err)
	if job.Key != key || job.Params != params || task.Total != 1 || ref.ID != job.ID.JobID(task.ID) {
		s.Errorf("%s: job %q of key %q, %d rows; want %s of %s", ref.ID, job.Params, job.Key, task.Total, params, key)
	}
}

// TestEnqueue_CallersThatGiveUp_FailNoOther has half of the callers give up.
func TestEnqueue_CallersThatGiveUp_FailNoOther(t *testing.T) {
	on(t, func(s *shop) {
		hasty, giveUp := context.WithCancel(s.Context())
		var all sync.WaitGroup
		for i := range 40 {
			ctx := s.Context()
			if i%2 == 1 {
				ctx = hasty
			}
			all.Go(func() {
				ref, err := s.plain.Enqueue(ctx, s.client, map[string]any{"n": i}, worker.Key("same"))
				switch {
				case err == nil:
					s.isJob(ref, "same", fmt.Sprintf(`{"n":%d}`, i))
				case ctx != hasty:
					s.Errorf("caller %d: %v", i, err)
				}
			})
		}
		giveUp()
		all.Wait()
	})
}
