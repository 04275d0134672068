package enqueue

import (
	"context"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// freeFor is how long a tenant counts as free of quotas after a read of its limits. A new quota may
// therefore take effect late, by up to this time.
const freeFor = time.Second

// mostFree bounds the number of tenants in freeTenants.
const mostFree = 10_000

// freeTenants holds the tenants that had neither quotas nor a highest priority, with the time of
// the read.
type freeTenants struct {
	mu   sync.Mutex
	read map[string]time.Time
}

// has reports whether a read less than freeFor ago found neither quotas nor a highest priority of a
// tenant.
func (f *freeTenants) has(tenant string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return time.Since(f.read[tenant]) < freeFor
}

func (f *freeTenants) add(tenant string, at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.read == nil || len(f.read) >= mostFree {
		f.read = map[string]time.Time{}
	}
	f.read[tenant] = at
}

// bound reports whether new jobs of a tenant must be compared with its quotas or its highest
// priority. It reads through `tx`: if transactions held all connections of the pool, a read on
// another connection would deadlock.
func (c *Client) bound(ctx context.Context, tx ledger.Tx, tenant string) (bool, error) {
	if c.free.has(tenant) {
		return false, nil
	}
	at := time.Now()
	l, err := c.tasks.LimitsIn(ctx, tx, tenant)
	if err == nil && !l.Bind() {
		c.free.add(tenant, at)
	}
	return l.Bind(), err
}

// addWithin calls addOne. If `bound` is true, it returns an error for a job that exceeds the quotas or the
// highest priority of the tenant.
func (c *Client) addWithin(ctx context.Context, tx ledger.Tx, bound bool, kind jobs.Kind, w TaskOptions, row events.Draft) (Ref, error) {
	if !bound {
		return c.addOne(ctx, tx, kind, w, row)
	}
	if err := c.tasks.LockQuotas(ctx, tx, w.Tenant); err != nil {
		return Ref{}, err
	}
	ref, err := c.addOne(ctx, tx, kind, w, row)
	if err == nil && !ref.Deduplicated {
		err = c.tasks.WithinQuotas(ctx, tx, w.Tenant, w.Priority)
	}
	return ref, err
}

// limitRows makes events.Store.Append roll back a chunk that would exceed the tenant's quota of rows.
func (c *Client) limitRows(ctx context.Context, tenant string, chunk *events.Chunk) error {
	if bound, err := c.bound(ctx, c.db.Reader(), tenant); err != nil || !bound || len(chunk.Rows) == 0 {
		return err
	}
	chunk.First = func(ctx context.Context, tx ledger.Tx) error { return c.tasks.LockQuotas(ctx, tx, tenant) }
	chunk.Also = func(ctx context.Context, tx ledger.Tx, _ int64) error { return c.tasks.WithinRows(ctx, tx, tenant) }
	return nil
}
