package operate

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

var (
	//go:embed sql/tenant_tasks.sql
	tenantTasksSQL string
	//go:embed sql/unfinished.sql
	unfinishedSQL string
)

// ErrUnfinished means that tasks of a tenant are not done.
var ErrUnfinished = errors.New("tasks of the tenant are not done")

// CancelingError means that tasks of a tenant are not done, and that the removal of the tenant has started
// to cancel them. It wraps ErrUnfinished.
type CancelingError struct{ Tasks int64 }

// Error returns a message with the number of tasks that are being canceled.
func (e *CancelingError) Error() string {
	return fmt.Sprintf("%v: %d are being canceled", ErrUnfinished, e.Tasks)
}

// Unwrap returns ErrUnfinished.
func (e *CancelingError) Unwrap() error { return ErrUnfinished }

// ErrNoTenant means that the name of the tenant is empty.
var ErrNoTenant = errors.New("the name of the tenant is empty")

// chunkSize is the greatest number of records that Tenants reads or deletes in one statement.
const chunkSize = 500

// Tenants is a store with which the owner of the service lists, changes, exports and removes tenants. Create
// it with NewTenants.
type Tenants struct {
	db     *ledger.DB
	tasks  *tasks.Store
	events *events.Store
	access *access.Store
	files  blobs.Store
	log    *audit.Log
	actor  string
}

// NewTenants returns a Tenants for a ledger and its files. The argument `actor` is the actor in the
// audit log.
func NewTenants(db *ledger.DB, files blobs.Store, actor string, now func() time.Time) *Tenants {
	return &Tenants{
		db: db, tasks: tasks.New(db, tasks.Options{Now: now}).As(actor), events: events.New(db, events.Options{Now: now}),
		access: access.New(db, access.Options{Now: now}), files: files, log: audit.New(db, now), actor: actor,
	}
}

// tenantTask holds the fields of a task that export and removal use.
type tenantTask struct {
	num    int64
	id     string
	done   bool
	purged bool
}

// each calls f for each task of a tenant, oldest first.
func (x *Tenants) each(ctx context.Context, tenant string, f func(*tenantTask) error) error {
	for after := int64(0); ; {
		args := ledger.Args{"tenant": tenant, "after": after, "most": chunkSize}
		page, err := ledger.List(ctx, x.db.Reader(), tenantTasksSQL, args, func(scan ledger.Scan, t *tenantTask) error {
			return scan(&t.num, &t.id, &t.done, &t.purged)
		})
		if err != nil {
			return err
		}
		for i := range page {
			if err := f(&page[i]); err != nil {
				return fmt.Errorf("task %s: %w", page[i].id, err)
			}
		}
		if len(page) < chunkSize {
			return nil
		}
		after = page[len(page)-1].num
	}
}

// unfinished runs a query that counts tasks of a tenant. It returns ErrUnfinished if the count is above
// 0.
func (x *Tenants) unfinished(ctx context.Context, tenant, text string) error {
	var n int64
	_, err := ledger.Row(ctx, x.db.Reader(), text, ledger.Args{"tenant": tenant}, &n)
	if err == nil && n > 0 {
		err = fmt.Errorf("%w: %d", ErrUnfinished, n)
	}
	return err
}
