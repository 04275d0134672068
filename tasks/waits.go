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

// waitsPage is the maximum number of tasks without a lane that Waits reads. It is also the maximum
// number of tasks that Waits reads because their start time has passed.
const waitsPage = 200

// Wait is a task with rows that may run and are not in Redis yet, or with a file that is still being
// read. For a paused tenant, and outside run hours, it may also be a task whose rows wait only for other
// rows of their keys.
type Wait struct {
	Num          int64
	Tenant       string
	Kind         string
	TenantPaused bool
	Opens        time.Time // when the run hours begin next; zero during the run hours

	held   bool      // its rows only wait for other rows of their keys
	Slots  int64     // slots of the tenant; 0 means no limit
	Unread bool      // its file is still being read, and none of the rows read so far waits to be fed
	Since  time.Time // when its first waiting row could have run; pauses count as waiting, times outside run hours do not
}

// Waits returns the tasks whose rows are fed next: the first of each tenant, kind and priority. It also
// returns up to waitsPage tasks that no feeder has put into a lane yet, and up to waitsPage tasks whose
// start time has passed. The cost grows with the number of returned tasks, not with the number of
// waiting tasks.
func (s *Store) Waits(ctx context.Context) (out []Wait, err error) {
	args := ledger.Args{"now": s.now().UnixMilli(), "most": waitsPage, "kinds": s.hours.names()}
	err = s.db.Probe(ctx, func(tx ledger.Tx) (err error) {
		out, err = ledger.List(ctx, tx, waitsSQL, args, func(scan ledger.Scan, w *Wait) error {
			var since int64
			var hours string
			err := scan(&w.Num, &w.Tenant, &w.Kind, &w.TenantPaused, &hours, &w.held, &w.Slots, &w.Unread, &since)
			w.Since, w.Opens = time.UnixMilli(since), s.Opens(w.Kind, hours)
			if began := s.Opened(w.Kind, hours); w.Opens.IsZero() && began.After(w.Since) {
				w.Since = began
			}
			return err
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: what waits: %w", err)
	}
	out = slices.DeleteFunc(out, func(w Wait) bool { return w.held && !w.Paused() })
	slices.SortFunc(out, func(a, b Wait) int { return cmp.Compare(a.Num, b.Num) })
	return slices.CompactFunc(out, func(a, b Wait) bool { return a.Num == b.Num }), nil
}

// Paused reports whether a pause of the tenant or the run hours stop the feeding of the task now.
func (w Wait) Paused() bool { return w.TenantPaused || !w.Opens.IsZero() }

// LagsOf returns, by kind, the longest time that a task in `list` has waited. It ignores tasks of paused
// tenants, and tasks outside their run hours.
func LagsOf(list []Wait, now time.Time) map[string]time.Duration {
	out := map[string]time.Duration{}
	for _, w := range list {
		if !w.Paused() {
			out[w.Kind] = max(out[w.Kind], now.Sub(w.Since))
		}
	}
	return out
}

// Lags returns, by kind, how long the oldest row that may run has waited in the ledger.
func (s *Store) Lags(ctx context.Context) (map[string]time.Duration, error) {
	list, err := s.Waits(ctx)
	return LagsOf(list, s.now()), err
}
