package tasks

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/backlog.sql
	backlogSQL string
	//go:embed sql/tenant_backlog.sql
	tenantBacklogSQL string
)

// Backlog holds counts of unfinished work. It is for all tasks with the same kind and status whose tenants
// have the same run hours.
type Backlog struct {
	Kind   string
	Status Status
	Tasks  int64     // tasks that may run and are not done
	Rows   int64     // their rows that may run and have not started; only those in Redis during a pause or outside run hours
	Unfed  int64     // their rows that are not in Redis, also of paused tasks and tenants
	Oldest time.Time // creation time of the oldest task that counts in Rows; zero if there is none

	Stalled
}

// Stalled holds counts of rows that are not in Redis and that Store.Lags ignores.
type Stalled struct {
	Behind int64 // rows that wait only for other rows of their keys
	Paused int64 // rows of paused tasks and tenants
}

// Add adds other counts.
func (s *Stalled) Add(other Stalled) {
	s.Behind, s.Paused = s.Behind+other.Behind, s.Paused+other.Paused
}

// Backlog returns the unfinished work of all tenants by kind, status and run hours. Its query reads
// every task that is not done.
func (s *Store) Backlog(ctx context.Context) ([]Backlog, error) {
	args := ledger.Args{"now": s.now().UnixMilli()}
	out, err := ledger.List(ctx, s.db.Reader(), backlogSQL, args, func(scan ledger.Scan, b *Backlog) error {
		var inRedis, oldest, oldestInRedis int64
		var hours string
		err := scan(&b.Kind, &b.Status, &hours, &b.Tasks, &b.Rows, &inRedis, &b.Unfed, &b.Behind, &b.Paused, &oldest, &oldestInRedis)
		if s.closed(b.Kind, hours) {
			b.Rows, oldest = inRedis, oldestInRedis
		}
		if oldest > 0 {
			b.Oldest = time.UnixMilli(oldest)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: backlog: %w", err)
	}
	return out, nil
}

// TenantBacklog holds counts of the unfinished work of a tenant.
type TenantBacklog struct {
	Tasks  int64 // that may run and are not done
	Unfed  int64 // their rows that are not in Redis
	Queued int64 // their rows that are in Redis or run

	Kinds map[string]KindBacklog
}

// KindBacklog holds counts of the unfinished work of one kind of a tenant.
type KindBacklog struct {
	Tasks, Unfed, Queued int64 // as in TenantBacklog
	Rows                 int64 // as in Backlog
	Stalled
}

func (b *TenantBacklog) add(kind string, k KindBacklog) {
	if b.Kinds == nil {
		b.Kinds = map[string]KindBacklog{}
	}
	b.Kinds[kind] = k
	b.Tasks, b.Unfed, b.Queued = b.Tasks+k.Tasks, b.Unfed+k.Unfed, b.Queued+k.Queued
}

// TenantBacklog returns the unfinished work of a tenant. Its query reads every task of the tenant
// that is not done.
func (s *Store) TenantBacklog(ctx context.Context, tenant string) (b TenantBacklog, err error) {
	args := ledger.Args{"tenant": tenant, "now": s.now().UnixMilli()}
	_, err = ledger.List(ctx, s.db.Reader(), tenantBacklogSQL, args, func(scan ledger.Scan, k *KindBacklog) error {
		var kind, hours string
		var inRedis int64
		err := scan(&kind, &hours, &k.Tasks, &k.Unfed, &k.Behind, &k.Paused, &k.Queued, &k.Rows, &inRedis)
		if s.closed(kind, hours) {
			k.Rows = inRedis
		}
		b.add(kind, *k)
		return err
	})
	if err != nil {
		return b, fmt.Errorf("tasks: backlog of %q: %w", tenant, err)
	}
	return b, nil
}

// SlotsTaken returns the number of slots of a tenant, and how many of them are taken. 0 slots mean
// no limit.
func (s *Store) SlotsTaken(ctx context.Context, tenant string) (slots, taken int64, err error) {
	if slots, taken, err = SlotsIn(ctx, s.db.Reader(), tenant, 0, ","); err != nil {
		return 0, 0, fmt.Errorf("tasks: slots of %q: %w", tenant, err)
	}
	return slots, taken, nil
}
