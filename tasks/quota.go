package tasks

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/quota_usage.sql
var quotaUsageSQL string

// Usage holds the amounts of a tenant that quotas limit.
type Usage struct {
	Tasks int64 // tasks that are not done
	Rows  int64 // rows that are not at rest, of tasks that are not done
	Bytes int64 // size of the stored files
}

// QuotaError is the error of a request that would exceed a quota of its tenant. A retry can succeed
// after tasks end, files are deleted or the quota is raised.
type QuotaError struct {
	What string // "tasks", "rows" or "bytes"
	Most int64  // the quota
}

// Error returns a text with the quota.
func (e *QuotaError) Error() string { return fmt.Sprintf("at most %d %s", e.Most, e.What) }

// PriorityError is the error of a task whose priority is above the highest priority of its tenant.
type PriorityError struct {
	Most int64
}

// Error returns a message that states the highest allowed priority.
func (e *PriorityError) Error() string { return fmt.Sprintf("the highest priority is %d", e.Most) }

// exceeded returns a *QuotaError for the first quota that `u` exceeds, or nil.
func (l Limits) exceeded(u Usage) error {
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

// Bind reports whether the limits contain a quota or a highest priority.
func (l Limits) Bind() bool { return l.quotas() || l.Priority > 0 }

// quotas reports whether the limits contain a quota.
func (l Limits) quotas() bool { return l.Tasks+l.Rows+l.Bytes > 0 }

// CheckQuota returns a *QuotaError if a tenant would exceed a quota with the additional use in `more`. A
// concurrent request may still use up the quota afterwards; Terms.Quotas prevents that.
func (s *Store) CheckQuota(ctx context.Context, tenant string, more Usage) error {
	l, err := s.Limits(ctx, tenant)
	if err != nil || !l.quotas() {
		return err
	}
	u, err := used(ctx, s.db.Reader(), tenant)
	if err == nil {
		err = l.exceeded(Usage{u.Tasks + more.Tasks, u.Rows + more.Rows, u.Bytes + more.Bytes})
	}
	if err != nil {
		return fmt.Errorf("tasks: room of %q: %w", tenant, err)
	}
	return nil
}

// LockQuotas locks the quotas of a tenant, so that transactions check them one after another. Callers
// must call it before the transaction locks a task or a feed.
func (s *Store) LockQuotas(ctx context.Context, tx ledger.Tx, tenant string) error {
	_, err := tx.Exec(ctx, lockSlotsSQL, ledger.Args{"tenant": tenant})
	if err != nil {
		return fmt.Errorf("tasks: lock quotas of %q: %w", tenant, err)
	}
	return nil
}

// WithinRows returns a *QuotaError if the rows of a tenant exceed its quota, including the rows that the
// transaction has added.
func (s *Store) WithinRows(ctx context.Context, tx ledger.Tx, tenant string) error {
	l, err := limitsOf(ctx, tx, tenant)
	var u Usage
	if err == nil && l.Rows > 0 {
		u, err = used(ctx, tx, tenant)
	}
	if err == nil {
		err = Limits{Rows: l.Rows}.exceeded(u)
	}
	if err != nil {
		return fmt.Errorf("tasks: rows of %q: %w", tenant, err)
	}
	return nil
}

// checkQuotas returns the errors of WithinQuotas for a tenant and a priority. If the tenant has no
// limits, it returns nil. Otherwise it first takes a lock, so that transactions check the quotas
// one after another.
func (s *Store) checkQuotas(own ledger.Gorm, tenant string, priority int) error {
	ctx := own.Statement.Context
	tx, err := s.db.Join(own)
	if err != nil {
		return err
	}
	n, err := tx.Exec(ctx, lockSlotsSQL, ledger.Args{"tenant": tenant})
	if err != nil || n == 0 {
		return err
	}
	return s.WithinQuotas(ctx, tx, tenant, priority)
}

// WithinQuotas returns a *QuotaError if a tenant exceeds a quota, including the tasks that the
// transaction has added. It returns a *PriorityError if `priority` is above the highest priority of the
// tenant. Callers must call LockQuotas before they add the task.
func (s *Store) WithinQuotas(ctx context.Context, tx ledger.Tx, tenant string, priority int) error {
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
	return l.exceeded(u)
}

// Used returns the amounts of a tenant that quotas limit.
func (s *Store) Used(ctx context.Context, tenant string) (Usage, error) {
	u, err := used(ctx, s.db.Reader(), tenant)
	if err != nil {
		return u, fmt.Errorf("tasks: use of %q: %w", tenant, err)
	}
	return u, nil
}

func used(ctx context.Context, tx ledger.Tx, tenant string) (u Usage, err error) {
	_, err = ledger.Row(ctx, tx, quotaUsageSQL, ledger.Args{"tenant": tenant}, &u.Tasks, &u.Rows, &u.Bytes)
	return u, err
}
