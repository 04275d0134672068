package explain

import (
	"context"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/manage"
)

// notPushed explains why rows of a queue wait in the ledger, while Redis has none.
func (x *explainer) notPushed(ctx context.Context, look *manage.QueueState, tenant string) error {
	switch {
	case look.Pushed > 0:
		return nil
	case len(look.Waits) == 0:
		return x.forgotten(ctx, look)
	}
	active, held := splitWaits(look.Waits)
	if len(active) == 0 {
		x.tenantsPaused(tenantsOf(held), tenant)
		return nil
	}
	full, err := x.full(ctx, active)
	switch {
	case err != nil:
		return err
	case full:
		x.tenantsFull(active, tenant)
	case allUnread(active):
		x.add("FILE_UNREAD")
	case look.Lag >= pushedAfter.Seconds():
		x.add("NOT_PUSHED", "kind", look.Name)
	}
	return nil
}

// forgotten explains that rows are neither next in the ledger nor in Redis, and no row has ended
// since. No process releases or repairs them.
func (x *explainer) forgotten(ctx context.Context, look *manage.QueueState) error {
	if look.Backlog == 0 {
		return nil
	}
	samples, err := x.s.Queue.Admin().History(ctx, look.Name, x.now.Add(-queue.SamplesKept))
	if err != nil {
		return manage.QueueProblem(err)
	}
	since := stillSince(samples, look.Stats.Stats, func(s queue.Sample) bool { return s.Length+s.Busy == 0 })
	if since.IsZero() || look.Counted.Sub(since) < stuckAfter {
		return nil
	}
	x.add("NOT_PUSHED", "kind", look.Name).At = textutil.Instant(since.UnixMilli())
	return nil
}

// pushedAfter is the time that rows may wait for a feeder before the feeder counts as missing.
const pushedAfter = 30 * time.Second

// splitWaits divides tasks into tasks that may run and tasks of paused tenants.
func splitWaits(list []tasks.Wait) (active, paused []tasks.Wait) {
	for _, w := range list {
		if w.TenantPaused {
			paused = append(paused, w)
		} else {
			active = append(active, w)
		}
	}
	return active, paused
}

// allUnread reports whether the files of all tasks are still to be read.
func allUnread(list []tasks.Wait) bool {
	for _, w := range list {
		if !w.Unread {
			return false
		}
	}
	return true
}

// tenantsOf returns the tenants of tasks.
func tenantsOf(list []tasks.Wait) (out []string) {
	for _, w := range list {
		out = append(out, w.Tenant)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// tenantsPaused explains that tenants are paused. It names only tenants of the caller.
func (x *explainer) tenantsPaused(tenants []string, own string) {
	if len(tenants) == 1 && tenants[0] == own {
		x.add("TENANT_PAUSED")
		return
	}
	x.add("TENANTS_PAUSED", "n", len(tenants))
}

// tenantsFull explains that the slots of tenants are taken. It names only tenants of the caller.
func (x *explainer) tenantsFull(list []tasks.Wait, own string) {
	tenants := tenantsOf(list)
	if len(tenants) == 1 && tenants[0] == own {
		x.add("TENANT_SLOTS", "n", list[0].Slots)
		return
	}
	x.add("TENANTS_SLOTS", "n", len(tenants))
}

// fullTenants is the number of tenants that full checks.
const fullTenants = 50

// full reports whether the tenants of all tasks have all their slots taken.
func (x *explainer) full(ctx context.Context, list []tasks.Wait) (bool, error) {
	checked := map[string]bool{}
	for _, w := range list {
		switch {
		case w.Slots == 0 || len(checked) == fullTenants:
			return false, nil
		case checked[w.Tenant]:
			continue
		}
		checked[w.Tenant] = true
		slots, taken, err := x.s.Tasks.SlotsTaken(ctx, w.Tenant)
		if err != nil || taken < slots {
			return false, err
		}
	}
	return true, nil
}
