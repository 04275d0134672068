package tasks

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/waits.sql
var waitsSQL string

// waitsPage is how many tasks without a place Waits reads.
const waitsPage = 200

// Wait is a task with rows that may run and are not in Redis yet. It is the first of its tenant, kind
// and priority. For a paused tenant, it may also be a task whose rows only wait for other rows of
// their keys.
type Wait struct {
	Num          int64
	Tenant       string
	Kind         string
	TenantPaused bool
	Slots        int64     // slots of the tenant; 0 means no limit
	Unread       bool      // its file is not read, so none of its rows may run yet
	Since        time.Time // when its first such row could have run; pauses count as waiting
}

// Waits returns the tasks whose rows are fed next: the first of each tenant, kind and priority. It
// probes an index once per returned task, independent of the number of waiting tasks.
func (s *Store) Waits(ctx context.Context) (out []Wait, err error) {
	args := ledger.Args{"now": s.now().UnixMilli(), "most": waitsPage}
	err = s.db.Probe(ctx, func(tx ledger.Tx) (err error) {
		out, err = ledger.List(ctx, tx, waitsSQL, args, func(scan ledger.Scan, w *Wait) error {
			var since int64
			err := scan(&w.Num, &w.Tenant, &w.Kind, &w.TenantPaused, &w.Slots, &w.Unread, &since)
			w.Since = time.UnixMilli(since)
			return err
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: what waits: %w", err)
	}
	slices.SortFunc(out, func(a, b Wait) int { return cmp.Compare(a.Num, b.Num) })
	return slices.CompactFunc(out, func(a, b Wait) bool { return a.Num == b.Num }), nil
}

// LagsOf returns, by kind, how long the oldest of some tasks has waited. It leaves out tasks of paused
// tenants. A kind without other tasks has no entry.
func LagsOf(list []Wait, now time.Time) map[string]time.Duration {
	out := map[string]time.Duration{}
	for _, w := range list {
		if !w.TenantPaused {
			out[w.Kind] = max(out[w.Kind], now.Sub(w.Since))
		}
	}
	return out
}

// Lags returns by kind how long the oldest row that may run has waited in the ledger.
func (s *Store) Lags(ctx context.Context) (map[string]time.Duration, error) {
	list, err := s.Waits(ctx)
	return LagsOf(list, s.now()), err
}
