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
	//go:embed sql/close_lane.sql
	closeLaneSQL string
	//go:embed sql/lane_slots.sql
	laneSlotsSQL string
)

// headTasks is the greatest number of tasks of a lane that are read at once. With more tasks, a claim
// could expire before the feeder has stored their steps.
const headTasks = 1000

// Lane is the lane of one kind of one tenant. Its rows share a window and are fed in one order.
type Lane struct {
	ID        int64
	Tenant    string
	Kind      string
	Pushed    int64 // first pushes of rows so far; a second feeding and a push after a resubmission do not count
	InRedis   int64 // rows that were pushed and have not ended
	Waiting   int64 // rows of InRedis that neither run nor wait for a retry
	Retrying  int64 // rows of InRedis that wait for a retry, or were resubmitted
	HeldKeys  int64 // keys that have held rows, counted up to 1,000
	Behind    int64 // upper bound of the rows of these keys in Redis that wait for another row of their key
	ReportAt  int64 // when to report the keys of held rows to Redis again, in unix ms; 0 or less means now
	ReportDue bool  // the keys must be reported now
	ReportAll bool  // Redis may have no rows of the keys, because a task or the tenant was resumed, or run hours began
	Slots     int64 // slots of the tenant; 0 means no limit
	Window    int64 // window of the tenant, per kind; 0 means the window of the service
	Weight    int64 // share of the tenant while other tenants wait
	Paused    bool  // by a pause of the tenant, or by run hours: only rows of a second feeding are pushed
}

// Lanes returns the lanes with rows to push. It first assigns a lane and a place to each task
// without a lane, and to each task whose run-at has passed. It leaves out a lane outside its run
// hours, or of a paused tenant, unless the lane has rows to be pushed again. It reads a few index
// entries and at most 1,000 keys with held rows per lane, and the tasks that have pushed rows. Its
// cost therefore does not depend on the number of waiting tasks.
func (s *Store) Lanes(ctx context.Context) (out []Lane, err error) {
	if err := s.placeStrays(ctx); err != nil {
		return nil, err
	}
	var closed []Lane
	err = s.db.Probe(ctx, func(tx ledger.Tx) (err error) {
		out, closed, err = s.list(ctx, tx)
		return err
	})
	if err == nil {
		err = s.recordClosed(ctx, closed)
	}
	if err != nil {
		return nil, fmt.Errorf("lanes: lanes: %w", err)
	}
	return out, nil
}

// list returns the lanes with rows to push. The result `closed` holds the lanes outside of their
// run hours that have keys with held rows. It does not hold the lanes that recordClosed has
// recorded since the run hours last began. An older record does not count, because the feeder may
// have reported only some of the keys before the run hours ended.
func (s *Store) list(ctx context.Context, tx ledger.Tx) (out, closed []Lane, err error) {
	now := s.now().UnixMilli()
	err = tx.Query(ctx, lanesSQL, nil, func(scan ledger.Scan) error {
		var l Lane
		var hours string
		var again bool
		err := scan(&l.ID, &l.Tenant, &l.Kind, &l.Pushed, &l.ReportAt, &l.HeldKeys, &l.Behind, &l.Slots, &l.Window,
			&l.Weight, &l.Paused, &hours, &l.InRedis, &l.Waiting, &l.Retrying, &again)
		l.ReportDue, l.ReportAll = l.ReportAt <= now, l.ReportAt <= 0
		if !s.opens(l.Kind, hours).IsZero() {
			l.Paused = true
			if l.HeldKeys > 0 && (!l.ReportAll || -l.ReportAt < s.opened(l.Kind, hours).UnixMilli()) {
				closed = append(closed, l)
			}
		}
		if again || !l.Paused {
			out = append(out, l)
		}
		return err
	})
	return out, closed, err
}

// recordClosed records that the given lanes are outside of their run hours. When the run hours of
// such a lane begin, the feeder reports the keys with held rows to Redis, as it does after a
// resume.
func (s *Store) recordClosed(ctx context.Context, closed []Lane) error {
	for _, l := range closed {
		args := ledger.Args{"lane": l.ID, "was": l.ReportAt, "now": s.now().UnixMilli()}
		if _, err := s.db.Writer().Exec(ctx, closeLaneSQL, args); err != nil {
			return err
		}
	}
	return nil
}

// Heads holds the first tasks of a lane. The function `pick` of ClaimLane selects from them.
type Heads struct {
	Next   []Feed // tasks with rows to push, now or later, in feeding order
	Repush []Feed // tasks with rows that were in a lost Redis, in feeding order
	Left   int64  // slots that the tenant has left; math.MaxInt64 without a limit

	tenant string
	slots  int64
}

func (s *Store) readHeads(ctx context.Context, tx ledger.Tx, lane int64) (h Heads, err error) {
	args := ledger.Args{"lane": lane, "most": headTasks}
	if h.Repush, err = s.feeds(ctx, tx, againOfLane, args); err != nil {
		return h, err
	}
	if h.Next, err = s.feeds(ctx, tx, nextOfLane, args); err != nil {
		return h, err
	}
	return h, s.setLeft(ctx, tx, lane, &h)
}

// setLeft sets Heads.Left, the number of slots that the tenant of a lane has left.
func (s *Store) setLeft(ctx context.Context, tx ledger.Tx, lane int64, h *Heads) error {
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
