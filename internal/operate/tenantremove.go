package operate

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

var (
	//go:embed sql/remove_audit.sql
	removeAuditSQL string
	//go:embed sql/unpurged.sql
	unpurgedSQL string
)

// passes is the maximum number of times that Remove reads the tasks of a tenant. It reads them
// again to include tasks that end while it runs.
const passes = 10

// ActRemove is the name of Remove in the audit log of operators.
const ActRemove = "remove-tenant"

// Remove removes a tenant. It deletes API keys, schedules, webhooks, limits, mappings and stored
// responses, and ends uploads. It then deletes the contents of tasks, as tasks.Store.Erase does,
// and the audit log. It returns the number of emptied tasks. Ids, kinds, counts and times of tasks
// remain. The audit logs of the tenant and of the owner keep an entry of the removal, with its
// actor. The limits, weight, run hours and pause that the owner has set remain. So do the
// revocations of users, since the issuer may continue to issue tokens for them.
//
// Remove returns ErrNoTenant for an empty name. It works in short transactions. After an error, the next call
// continues the removal. Remove returns ErrUnfinished if tasks of the tenant are not done. If Remove finds
// such tasks at its start, it removes nothing. If `cancel` is true, it also starts to cancel the tasks, and
// returns a CancelingError. If the tenant adds tasks while Remove runs, the caller must call Remove again.
func (x *Tenants) Remove(ctx context.Context, tenant string, cancel bool) (emptied int64, err error) {
	if tenant == "" { // keys without a tenant belong to the owner
		return 0, ErrNoTenant
	}
	err = x.unfinished(ctx, tenant, unfinishedSQL)
	if cancel && errors.Is(err, ErrUnfinished) {
		err = x.cancel(ctx, tenant)
	}
	if err != nil {
		return 0, fmt.Errorf("operate: remove tenant: %w", err)
	}
	nums, err := x.note(ctx, audit.Entry{Act: ActRemove, Target: tenant, Touched: audit.InProgress})
	if err == nil {
		err = x.deleteAccess(ctx, tenant)
	}
	if err == nil {
		emptied, err = x.empty(ctx, tenant)
	}
	if err == nil { // concurrent calls may have stored responses
		err = x.drop(ctx, removeAnswersSQL, ledger.Args{"tenant": tenant})
	}
	if err == nil {
		err = x.drop(ctx, removeAuditSQL, ledger.Args{"subject": audit.Operators(tenant), "keep": nums[0]})
	}
	if err == nil {
		err = errors.Join(x.finish(ctx, nums, emptied), x.unfinished(ctx, tenant, unpurgedSQL))
	}
	if err != nil {
		return emptied, fmt.Errorf("operate: remove tenant: %w", err)
	}
	return emptied, nil
}

// finish records in the audit logs how many tasks a removal has emptied.
func (x *Tenants) finish(ctx context.Context, nums [2]int64, emptied int64) (err error) {
	for _, num := range nums {
		err = errors.Join(err, x.log.Finish(ctx, num, emptied, audit.Detail{}))
	}
	return err
}

// cancel starts to cancel all unfinished tasks of a tenant, and returns a CancelingError.
func (x *Tenants) cancel(ctx context.Context, tenant string) error {
	begun := &CancelingError{}
	err := x.each(ctx, tenant, func(t *tenantTask) error {
		if t.done {
			return nil
		}
		err := x.tasks.Cancel(ctx, tenant, t.id)
		if errors.Is(err, tasks.ErrStatus) { // the task is being canceled, or has just ended
			err = nil
		}
		begun.Tasks++
		return err
	})
	if err != nil {
		return err
	}
	return begun
}

// empty erases the ended tasks of a tenant. It reads the tasks again, up to `passes` times, until it
// finds no newly ended task. It leaves unfinished tasks, and tasks that end after its last read.
func (x *Tenants) empty(ctx context.Context, tenant string) (emptied int64, err error) {
	for pass := range passes {
		before := emptied
		err := x.each(ctx, tenant, func(t *tenantTask) error {
			if t.purged && pass > 0 {
				return nil
			}
			gone, err := x.erase(ctx, tenant, t)
			emptied += gone
			return err
		})
		if err != nil || emptied == before {
			return emptied, err
		}
	}
	return emptied, nil
}

// erase deletes texts, files, rows and records of a task. An unfinished task stays unchanged. erase
// returns 1 if this call has purged the task, and otherwise 0.
func (x *Tenants) erase(ctx context.Context, tenant string, t *tenantTask) (emptied int64, err error) {
	left := tasks.Remains{Num: t.num, Left: tasks.LeftRows}
	if !t.purged {
		_, err = x.tasks.Erase(ctx, tenant, t.id, func(context.Context, ledger.Tx) error { return nil })
		if errors.Is(err, tasks.ErrStatus) { // the task is not done: Remove returns ErrUnfinished
			return 0, nil
		}
		if emptied = 1; err != nil {
			return 0, err
		}
	}
	files, err := x.tasks.Files(ctx, t.num)
	if err != nil {
		return emptied, err
	}
	for _, f := range files {
		if err := x.files.Delete(ctx, f.FileID); err != nil && !errors.Is(err, blobs.ErrNotFound) {
			return emptied, err
		}
		if err := x.tasks.MarkFileDeleted(ctx, f); err != nil {
			return emptied, err
		}
	}
	return emptied, x.tasks.Sweep(ctx, left, x.events.Erase)
}
