package tasks

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/used.sql
var usedSQL string

// Use holds amounts that quotas limit.
type Use struct {
	Tasks int64 // tasks that are not done
	Rows  int64 // rows that are not at rest, of tasks that are not done
	Bytes int64 // size of the stored files
}

// QuotaError means that a tenant has used up a quota. A retry succeeds after tasks end, files are
// purged or the limit is raised.
type QuotaError struct {
	What string // "tasks", "rows" or "bytes"
	Most int64  // the quota
}

// Error names the quota.
func (e *QuotaError) Error() string { return fmt.Sprintf("at most %d %s", e.Most, e.What) }

// PriorityError means that the priority of a task is above the highest of its tenant.
type PriorityError struct {
	Most int64
}

// Error names the highest priority.
func (e *PriorityError) Error() string { return fmt.Sprintf("the highest priority is %d", e.Most) }

// over returns an error with the first quota that an amount exceeds, or nil.
func (l Limits) over(u Use) error {
	for _, q := range []struct {
		what       string
		most, used int64
	}{{"tasks", l.Tasks, u.Tasks}, {"rows", l.Rows, u.Rows}, {"bytes", l.Bytes, u.Bytes}} {
		if q.most > 0 && q.used > q.most {
			return &QuotaError{q.what, q.most}
		}
	}
	return nil
}

// quotas reports whether the limits contain a quota.
func (l Limits) quotas() bool { return l.Tasks+l.Rows+l.Bytes > 0 }

// Room returns a QuotaError if the addition would exceed a quota of the tenant. A concurrent request
// may still take the room; see Terms.Quotas.
func (s *Store) Room(ctx context.Context, tenant string, more Use) error {
	l, err := s.Limits(ctx, tenant)
	if err != nil || !l.quotas() {
		return err
	}
	u, err := used(ctx, s.db.Reader(), tenant)
	if err == nil {
		err = l.over(Use{u.Tasks + more.Tasks, u.Rows + more.Rows, u.Bytes + more.Bytes})
	}
	if err != nil {
		return fmt.Errorf("tasks: room of %q: %w", tenant, err)
	}
	return nil
}

// LockQuotas serializes the transactions that check a tenant's quotas. Call it before a task or a feed
// is locked.
func (s *Store) LockQuotas(ctx context.Context, tx ledger.Tx, tenant string) error {
	_, err := tx.Exec(ctx, lockSlotsSQL, ledger.Args{"tenant": tenant})
	if err != nil {
		return fmt.Errorf("tasks: lock quotas of %q: %w", tenant, err)
	}
	return nil
}

// WithinRows compares the rows of a tenant, including the rows that the transaction has added, with
// its quota. It returns nil or a QuotaError.
func (s *Store) WithinRows(ctx context.Context, tx ledger.Tx, tenant string) error {
	l, err := limitsOf(ctx, tx, tenant)
	var u Use
	if err == nil && l.Rows > 0 {
		u, err = used(ctx, tx, tenant)
	}
	if err == nil {
		err = Limits{Rows: l.Rows}.over(u)
	}
	if err != nil {
		return fmt.Errorf("tasks: rows of %q: %w", tenant, err)
	}
	return nil
}

// within compares the use of a tenant, including the task that was just added, with its quotas and its
// highest priority. Tasks of a tenant with quotas are added one after another.
func (s *Store) within(own ledger.Gorm, tenant string, priority int) error {
	ctx := own.Statement.Context
	tx, err := s.db.Join(own)
	if err != nil {
		return err
	}
	n, err := tx.Exec(ctx, lockSlotsSQL, ledger.Args{"tenant": tenant})
	if err != nil || n == 0 {
		return err
	}
	l, err := limitsOf(ctx, tx, tenant)
	if err == nil && l.Priority > 0 && int64(priority) > l.Priority {
		err = &PriorityError{l.Priority}
	}
	if err != nil || !l.quotas() {
		return err
	}
	u, err := used(ctx, tx, tenant)
	if err != nil {
		return err
	}
	return l.over(u)
}

// Used returns the amounts of a tenant that quotas limit.
func (s *Store) Used(ctx context.Context, tenant string) (Use, error) {
	u, err := used(ctx, s.db.Reader(), tenant)
	if err != nil {
		return u, fmt.Errorf("tasks: use of %q: %w", tenant, err)
	}
	return u, nil
}

// used returns the amounts of a tenant that quotas limit.
func used(ctx context.Context, tx ledger.Tx, tenant string) (u Use, err error) {
	_, err = ledger.Row(ctx, tx, usedSQL, ledger.Args{"tenant": tenant}, &u.Tasks, &u.Rows, &u.Bytes)
	return u, err
}
