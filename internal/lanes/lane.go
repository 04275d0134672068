package lanes

import (
	"context"
	_ "embed"
	"fmt"
	"math"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

var (
	//go:embed sql/lanes.sql
	lanesSQL string
	//go:embed sql/lane_slots.sql
	laneSlotsSQL string
)

// headTasks is how many tasks of a lane are read at once. Their steps can be stored well within the
// time of a claim.
const headTasks = 1000

// Lane is the lane of a tenant and kind. Its rows share a window and are fed in one order.
type Lane struct {
	ID           int64
	Tenant       string
	Kind         string
	Pushed       int64 // rows that were pushed so far
	InRedis      int64 // rows that were pushed and are not at rest
	Waiting      int64 // rows of InRedis that neither run nor wait for a retry
	Retrying     int64 // rows of InRedis that wait for a retry, or were resubmitted
	HeldKeys     int64 // keys that have held rows, at most 1,000
	Behind       int64 // upper bound of the rows of these keys in Redis that wait for another row of their key
	StirAt       int64 // changes when the keys of held rows must be reported to Redis again
	Stir         bool  // the keys must be reported now
	Anew         bool  // Redis may have no rows of the keys, since a task or the tenant was resumed
	Slots        int64 // slots of the tenant; 0 means no limit
	Window       int64 // window of the tenant, per kind; 0 means the window of the service
	Weight       int64 // of the tenant: see SetWeight
	TenantPaused bool  // only rows of a second feeding are pushed
}

// Lanes returns the lanes with rows to push. It reads one index entry per lane, and the tasks with
// rows in Redis, independent of the number of waiting tasks. It first places tasks that are the first
// of a lane, or whose run-at has passed.
func (s *Store) Lanes(ctx context.Context) (out []Lane, err error) {
	if err := s.placeStrays(ctx); err != nil {
		return nil, err
	}
	err = s.db.Probe(ctx, func(tx ledger.Tx) (err error) {
		now := s.now().UnixMilli()
		out, err = ledger.List(ctx, tx, lanesSQL, nil, func(scan ledger.Scan, l *Lane) error {
			err := scan(&l.ID, &l.Tenant, &l.Kind, &l.Pushed, &l.StirAt, &l.HeldKeys, &l.Behind, &l.Slots, &l.Window,
				&l.Weight, &l.TenantPaused, &l.InRedis, &l.Waiting, &l.Retrying)
			l.Stir, l.Anew = l.StirAt <= now, l.StirAt <= 0
			return err
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("lanes: lanes: %w", err)
	}
	return out, nil
}

// Heads holds the first tasks of a lane, from which a feeder selects: see ClaimLane.
type Heads struct {
	Next  []Feed // with rows to push, now or later, in feeding order
	Again []Feed // with rows that were in a lost Redis, in feeding order
	Left  int64  // slots that the tenant has left; the greatest number without a limit

	tenant string
	slots  int64
}

// heads reads the first tasks of a lane.
func (s *Store) heads(ctx context.Context, tx ledger.Tx, lane int64) (h Heads, err error) {
	args := ledger.Args{"lane": lane, "most": headTasks}
	if h.Again, err = s.feeds(ctx, tx, againOfLane, args); err != nil {
		return h, err
	}
	if h.Next, err = s.feeds(ctx, tx, nextOfLane, args); err != nil {
		return h, err
	}
	return h, s.left(ctx, tx, lane, &h)
}

// left sets Heads.Left, the number of slots that the tenant of a lane has left.
func (s *Store) left(ctx context.Context, tx ledger.Tx, lane int64, h *Heads) error {
	h.Left, h.slots = math.MaxInt64, 0
	if _, err := ledger.Row(ctx, tx, laneSlotsSQL, ledger.Args{"lane": lane}, &h.tenant, &h.slots); err != nil || h.slots == 0 {
		return err
	}
	var taken int64
	var err error
	h.slots, taken, err = tasks.SlotsIn(ctx, tx, h.tenant, lane, numbered(h.Next))
	if err == nil && h.slots > 0 {
		h.Left = max(h.slots-taken, 0)
	}
	return err
}
