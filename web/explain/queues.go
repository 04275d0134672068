package explain

import (
	"context"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/manage"
)

// Queues returns the states of all queues as the caller may see them, sorted by name, with the reasons why
// queues make no progress.
func (s *Service) Queues(ctx context.Context, lang string) ([]manage.QueueState, error) {
	names, err := s.Manage.QueueNames(ctx)
	if err != nil {
		return nil, err
	}
	counts, err := s.Manage.LedgerCounts(ctx)
	if err != nil {
		return nil, err
	}
	list := []manage.QueueState{}
	for _, name := range names {
		state, err := s.Manage.QueueStateWith(ctx, name, counts)
		if err == nil {
			state, err = s.forCaller(ctx, lang, state)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, state)
	}
	return list, nil
}

// QueueState returns the state of a queue as the caller may see it, with the reasons why the queue
// makes no progress.
func (s *Service) QueueState(ctx context.Context, lang, name string) (manage.QueueState, error) {
	state, err := s.Manage.QueueState(ctx, name)
	if err != nil {
		return state, err
	}
	return s.forCaller(ctx, lang, state)
}

// forCaller returns the part of a queue's state that the caller may see, with the reasons why the
// queue makes no progress. The owner may see all, and other callers only their tenant's part.
func (s *Service) forCaller(ctx context.Context, lang string, all manage.QueueState) (manage.QueueState, error) {
	own := all
	if auth.Caller(ctx).May(access.ServiceRead) {
		return own, s.explainQueue(ctx, lang, &all, &own)
	}
	if err := s.narrow(ctx, &own); err != nil {
		return own, err
	}
	err := s.explainQueue(ctx, lang, &all, &own)
	own.QueueTotals, own.Stats = nil, queue.QueueStats{Name: own.Name}
	return own, err
}

// narrow reduces the state of a queue to the rows of the caller's tenant.
func (s *Service) narrow(ctx context.Context, state *manage.QueueState) error {
	tenant := auth.Tenant(ctx)
	counted, err := s.Tasks.CountedTenant(ctx, tenant)
	if err != nil {
		return err
	}
	own := counted.Value.Kinds[state.Name]
	state.Backlog, state.InLedger, state.Pushed, state.Counted, state.Stalled = own.Rows, own.Unfed, own.Queued, counted.At, own.Stalled
	state.Waits = slices.DeleteFunc(slices.Clone(state.Waits), func(w tasks.Wait) bool { return w.Tenant != tenant })
	state.Lag = tasks.LagsOf(state.Waits, s.Now())[state.Name].Seconds()
	return nil
}
