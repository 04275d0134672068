package enqueue_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

func fine(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestRows_AfterAFailedAdd_CannotBeClosed: the rows of the failed chunk are lost, so the task must
// not end as if it were complete.
func TestRows_AfterAFailedAdd_CannotBeClosed(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, fixture.Options{Kinds: fixture.Kinds(
		worker.Define("parts", func(context.Context, *worker.Job[map[string]any]) error { return nil }))})
	client := enqueue.New(s.DB, s.Queue, s.Kinds, enqueue.Options{Chunk: 1})
	kind, _ := s.Kinds.Kind("parts")
	rows, err := client.Begin(t.Context(), kind, enqueue.TaskOptions{Tenant: "acme"})
	fine(t, err)
	add := func(ctx context.Context) error {
		return rows.Add(ctx, events.Draft{Params: json.RawMessage(`{"No":"A"}`)})
	}
	fine(t, add(t.Context()))
	away, cancel := context.WithCancel(t.Context())
	cancel()
	if err := add(away); !errors.Is(err, context.Canceled) {
		t.Fatalf("Add with an ended context = %v", err)
	}
	if err := add(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("Add after a failed one = %v", err)
	}
	if err := rows.Close(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("Close after a failed Add = %v", err)
	}
	fine(t, rows.End(t.Context()))
	task, err := client.Task(t.Context(), rows.Tenant, rows.TaskID)
	fine(t, err)
	if task.Problem == nil || task.Problem.Code != enqueue.CodeBrokenOff || task.Counts.Total != 1 {
		t.Errorf("the task has the problem %+v and %d rows", task.Problem, task.Counts.Total)
	}
}

// TestRows_EndFails_CanBeRepeated makes End fail, because the limits of the tenant cannot be read. The next
// call of End ends the task.
func TestRows_EndFails_CanBeRepeated(t *testing.T) {
	t.Parallel()
	s := fixture.New(t, fixture.Options{Kinds: fixture.Kinds(
		worker.Define("parts", func(context.Context, *worker.Job[map[string]any]) error { return nil }))})
	client := enqueue.New(s.DB, s.Queue, s.Kinds, enqueue.Options{})
	kind, _ := s.Kinds.Kind("parts")
	fine(t, s.Tasks.SetLimits(t.Context(), "acme", tasks.Limits{Rows: 9}))
	rows, err := client.Begin(t.Context(), kind, enqueue.TaskOptions{Tenant: "acme"})
	fine(t, err)
	fine(t, s.DB.Write.Exec("ALTER TABLE rollcall.limits RENAME TO away").Error)
	if err := rows.End(t.Context()); err == nil {
		t.Fatal("End has not failed")
	}
	fine(t, s.DB.Write.Exec("ALTER TABLE rollcall.away RENAME TO limits").Error)
	fine(t, rows.End(t.Context()))
	task, err := client.Task(t.Context(), rows.Tenant, rows.TaskID)
	fine(t, err)
	if task.Problem == nil || task.Problem.Code != enqueue.CodeBrokenOff {
		t.Errorf("the task has the problem %+v", task.Problem)
	}
}
