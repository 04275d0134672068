package explain

import (
	"context"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/manage"
)

// notPushed adds the reasons why rows of a queue wait in the ledger. It adds nothing while Redis has rows
// of the queue.
func (x *explainer) notPushed(ctx context.Context, state *manage.QueueState, tenant string) error {
	switch {
	case state.Pushed > 0:
		return nil
	case len(state.Waits) == 0:
		return x.forgotten(ctx, state)
	}
	active, paused := splitWaits(state.Waits)
	if len(active) == 0 {
		x.notNow(paused, tenant)
		return nil
	}
	full, err := x.slotsFull(ctx, active)
	switch {
	case err != nil:
		return err
	case full:
		x.tenantsFull(active, tenant)
	case allUnread(active):
		x.add("FILE_UNREAD")
	case state.Lag >= pushedAfter.Seconds():
		x.add("NOT_PUSHED", "kind", state.Name)
	}
	return nil
}

// forgotten adds the reason that rows may start, but are neither in Redis nor about to be fed from the
// ledger. It adds the reason only after the queue in Redis has been empty for reconcile.RepairsWithin,
// because the reconciler may repair the rows before that.
func (x *explainer) forgotten(ctx context.Context, state *manage.QueueState) error {
	if state.Backlog == 0 {
		return nil
	}
	samples, err := x.s.Queue.Admin().History(ctx, state.Name, x.now.Add(-queue.SamplesKept))
	if err != nil {
		return manage.QueueProblem(err)
	}
	since := stillSince(samples, state.Stats.Stats, func(s queue.Sample) bool { return s.Length+s.Busy == 0 })
	if since.IsZero() || state.Counted.Sub(since) < reconcile.RepairsWithin {
		return nil
	}
	x.add("NOT_PUSHED", "kind", state.Name).At = textutil.Instant(since.UnixMilli())
	return nil
}

// pushedAfter is the waiting time of the oldest row after which notPushed reports that no feeder pushes the
// rows.
const pushedAfter = 30 * time.Second

// splitWaits separates the tasks that may run now from the tasks that wait for the end of a tenant's pause
// or for run hours.
func splitWaits(list []tasks.Wait) (active, paused []tasks.Wait) {
	for _, w := range list {
		if w.Paused() {
			paused = append(paused, w)
		} else {
			active = append(active, w)
		}
	}
	return active, paused
}

// allUnread reports whether the files of all tasks in the list are still unread.
func allUnread(list []tasks.Wait) bool {
	for _, w := range list {
		if !w.Unread {
			return false
		}
	}
	return true
}

// tenantsOf returns the tenants of tasks, sorted and without repetitions.
func tenantsOf(list []tasks.Wait) (out []string) {
	for _, w := range list {
		out = append(out, w.Tenant)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// notNow adds the reasons that tasks wait for run hours, and for the end of a pause of their tenants.
func (x *explainer) notNow(list []tasks.Wait, own string) {
	var paused []tasks.Wait
	var opens time.Time
	for _, w := range list {
		switch {
		case w.TenantPaused:
			paused = append(paused, w)
		case opens.IsZero() || w.Opens.Before(opens):
			opens = w.Opens
		}
	}
	x.outsideHours(opens)
	if len(paused) > 0 {
		x.tenantsPaused(tenantsOf(paused), own)
	}
}

// tenantsPaused adds the reason that tenants are paused. It gives only their number, unless the
// caller's tenant is the only one.
func (x *explainer) tenantsPaused(tenants []string, own string) {
	if len(tenants) == 1 && tenants[0] == own {
		x.add("TENANT_PAUSED")
		return
	}
	x.add("TENANTS_PAUSED", "n", len(tenants))
}

// tenantsFull adds the reason that tenants have no free slot. It gives only their number, unless the
// caller's tenant is the only one.
func (x *explainer) tenantsFull(list []tasks.Wait, own string) {
	tenants := tenantsOf(list)
	if len(tenants) == 1 && tenants[0] == own {
		x.add("TENANT_SLOTS", "n", list[0].Slots)
		return
	}
	x.add("TENANTS_SLOTS", "n", len(tenants))
}

// maxSlotTenants is the maximum number of tenants that slotsFull checks.
const maxSlotTenants = 50

// slotsFull reports whether every tenant of the tasks uses all its slots. It returns false if there are
// more than maxSlotTenants tenants, or if a tenant has no limit.
func (x *explainer) slotsFull(ctx context.Context, list []tasks.Wait) (bool, error) {
	checked := map[string]bool{}
	for _, w := range list {
		switch {
		case w.Slots == 0:
			return false, nil
		case checked[w.Tenant]:
			continue
		case len(checked) == maxSlotTenants:
			return false, nil
		}
		checked[w.Tenant] = true
		slots, taken, err := x.s.Tasks.SlotsTaken(ctx, w.Tenant)
		if err != nil || taken < slots {
			return false, err
		}
	}
	return true, nil
}
