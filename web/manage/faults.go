package manage

import (
	"cmp"
	"context"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
)

// faultTasks is the maximum number of tasks that DiscardFault reads at once. faultRows is the maximum number
// of rows.
const (
	faultTasks = 200
	faultRows  = 1000
)

// DiscardFault deletes jobs in the morgue and returns their number. The jobs belong to the rows of a kind,
// in the caller's tenant, that ended with one system fault. The argument `print` is the fingerprint of that
// fault. The rows keep the status error. A dry run only counts the jobs.
func (s *Service) DiscardFault(ctx context.Context, kind, print string, dryRun bool) (n int, err error) {
	o := operate.Order{Tenant: auth.Tenant(ctx), By: auth.Actor(ctx), Queue: kind, DryRun: dryRun}
	discard := func(ctx context.Context) (int, error) {
		err := s.eachFault(ctx, kind, print, func(t *tasks.Task, list []events.Event) error {
			rows := map[events.ID]bool{}
			o.Keys = nil
			for i := range list {
				rows[list[i].ID] = true
				o.Keys = append(o.Keys, cmp.Or(list[i].Key, list[i].ID.JobID(t.ID)))
			}
			some, err := s.operator().DiscardRows(ctx, o, rows)
			n += some
			return operateProblem(err)
		})
		return n, err
	}
	if dryRun {
		return discard(ctx)
	}
	return s.Do(ctx, "delete-dead", kind, map[string]any{"fingerprint": print}, discard)
}

// eachFault calls the function `see` with the rows of a kind, in the caller's tenant, that ended with one
// system fault, newest task first. The argument `print` is the fingerprint of that fault.
func (s *Service) eachFault(ctx context.Context, kind, print string, see func(*tasks.Task, []events.Event) error) error {
	for q := (tasks.Search{Kind: kind, Limit: faultTasks}); ; {
		list, next, err := s.Tasks.Search(ctx, auth.Tenant(ctx), q)
		if err != nil {
			return err
		}
		for i := range list {
			if err := s.faultsOf(ctx, &list[i], print, see); err != nil {
				return err
			}
		}
		if q.Before = next; next == 0 {
			return nil
		}
	}
}

// faultsOf calls the function `see` with the rows of a task that ended with one system fault, a page at a
// time. The argument `print` is the fingerprint of that fault.
func (s *Service) faultsOf(ctx context.Context, t *tasks.Task, print string, see func(*tasks.Task, []events.Event) error) error {
	f := events.Filter{Statuses: []events.Status{events.Error}, Print: print, Limit: faultRows}
	for t.Error > 0 {
		page, err := s.Events.Bad(ctx, t.Num, f)
		if err == nil && len(page) > 0 {
			err = see(t, page)
		}
		if err != nil || len(page) < faultRows {
			return err
		}
		f.After = page[len(page)-1].ID.Seq()
	}
	return nil
}
