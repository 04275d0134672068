package rowacts

import (
	"context"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Starter holds the stores with which Start adds tasks, and the retention of these tasks. All fields
// must be set.
type Starter struct {
	Tasks  *tasks.Store
	Events *events.Store
	Keep   time.Duration // retention of the task
}

// Start adds a task that applies an act to the tasks with the given ids, or returns ErrTooLarge. The
// fields Tenant, CreatedBy and Name of t must be set; Start sets the others. The quotas of the tenant
// apply. After an error other than ErrTooLarge, the task may exist.
func (s Starter) Start(ctx context.Context, t *tasks.Task, o Order, ids []string) (err error) {
	t.ID, t.Kind, t.Type, t.Status = tasks.NewID(), Name, tasks.Batch, tasks.Open
	chunk := events.Chunk{Final: true, Unordered: true}
	if chunk.Rows, err = o.drafts(ids); err != nil {
		return err
	}
	terms := tasks.Terms{Keep: s.Keep, Quotas: true, Also: func(ctx context.Context, tx ledger.Tx) error {
		chunk.Num = t.Num
		if err := s.Events.AppendIn(ctx, tx, chunk); err != nil {
			return err
		}
		return s.Tasks.WithinRows(ctx, tx, t.Tenant)
	}}
	if err := s.Events.Partitions().EnsureAhead(ctx); err != nil {
		return err
	}
	err = s.Events.Partitions().Retry(ctx, func() error {
		_, err := s.Tasks.CreateOnce(ctx, t, terms)
		return err
	})
	if err != nil {
		return fmt.Errorf("rowacts: start: %w", err)
	}
	now, err := s.Tasks.Get(ctx, t.Tenant, t.ID)
	if err == nil {
		*t = *now
	}
	return err
}
