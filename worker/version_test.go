package worker_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/worker"
)

// contact is a row whose version is its last change.
type contact struct {
	Name    string    `row:"Name" key:"true"`
	Changed time.Time `row:"Changed" version:"true" validate:"required"`
}

// TestVersion_JobsFromGo_OlderOneDoesNotRun tests single jobs, and those of a task.
func TestVersion_JobsFromGo_OlderOneDoesNotRun(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		s := &shop{T: t}
		var mu sync.Mutex
		var days []int
		contacts := worker.Define("contacts", func(_ context.Context, job *worker.Job[contact]) error {
			mu.Lock()
			defer mu.Unlock()
			days = append(days, job.Args.Changed.Day())
			return nil
		}, worker.Shards(1))
		s.Service = fixture.New(t, fixture.Options{Ledger: url, Kinds: fixture.Kinds(contacts)})
		s.client = newClient(s.DB, s.Queue, s.Kinds, enqueue.Options{})
		of := func(day int) contact {
			return contact{"ann", time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC)}
		}
		var ids []string
		for _, day := range []int{5, 3, 7} {
			ref, err := contacts.Enqueue(s.Context(), s.client, of(day))
			s.fine(err)
			ids = append(ids, ref.TaskID)
		}
		task, err := contacts.Task(s.Context(), s.client, "rows", func(yield func(contact, error) bool) {
			_ = yield(of(6), nil) && yield(of(8), nil)
		})
		s.fine(err)
		s.work()
		for i, want := range []int64{0, 1, 0, 1} {
			id := append(ids, task.ID)[i]
			s.await(id)
			got, err := s.Tasks.Get(s.Context(), "default", id)
			s.fine(err)
			if got.Superseded != want {
				s.Errorf("task %d has %d superseded rows, want %d", i, got.Superseded, want)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if !slices.Equal(days, []int{5, 7, 8}) {
			s.Errorf("the changes of the days %v were made, want 5, 7 and 8", days)
		}
	})
}
