package lanes

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/feedrow"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

var (
	//go:embed sql/return_lane.sql
	returnLaneSQL string
	//go:embed sql/advance_feed.sql
	advanceFeedSQL string
)

// Step holds the progress of a feeder with one task of a claimed lane.
type Step struct {
	Feed    Feed  // with the new Fed and RepushFrom
	Waited  int64 // rows that are no longer unfed
	Pushed  int64 // rows that were pushed for the first time
	Held    int64 // change in the number of held rows; may be negative
	Doubted int64 // the number of next rows that may have reached Redis: the new Feed.Doubted
}

// AdvanceLane stores the steps of a claimed lane and the changes of its held rows, and releases the
// claim, in one transaction. The first steps must be those of the claimed tasks, in the order of the
// claim. If the claim was lost meanwhile, AdvanceLane returns tasks.ErrClaimLost and changes nothing. If
// a step has no effect, for example after a cancel of its task, AdvanceLane stores the other steps. It
// then returns tasks.ErrClaimLost.
func (s *Store) AdvanceLane(ctx context.Context, g LaneClaim, steps []Step, sh Shift) error {
	pushed := int64(0)
	for _, step := range steps {
		pushed += step.Pushed
	}
	var noted []bool
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		args := ledger.Args{"lane": g.Lane, "claim": int64(g.Claim), "pushed": pushed}
		n, err := tx.Exec(ctx, returnLaneSQL, args)
		if err == nil && n == 0 {
			err = tasks.ErrClaimLost
		}
		if err == nil {
			noted, err = advance(ctx, tx, g, steps)
		}
		if err == nil {
			err = s.writeShift(ctx, tx, g.Lane, sh.withoutLost(steps, noted))
		}
		return err
	})
	if err == nil && slices.Contains(noted, false) {
		err = tasks.ErrClaimLost
	}
	if err != nil {
		return fmt.Errorf("lanes: advance lane: %w", err)
	}
	return nil
}

// advance stores steps, and reports for each step whether it changed a feed.
func advance(ctx context.Context, tx ledger.Tx, g LaneClaim, steps []Step) ([]bool, error) {
	if len(steps) == 0 {
		return nil, nil
	}
	columns := map[string][]int64{}
	for i, step := range steps {
		for name, n := range map[string]int64{
			"nums": step.Feed.Num, "was": positionBefore(g, i, step), "fed": step.Feed.Fed, "again_from": step.Feed.RepushFrom,
			"waited": step.Waited, "pushed": step.Pushed, "held": step.Held, "doubted": step.Doubted,
		} {
			columns[name] = append(columns[name], n)
		}
	}
	if err := feedrow.Lock(ctx, tx, columns["nums"]); err != nil {
		return nil, err
	}
	args := ledger.Args{"room": g.Room}
	for name, column := range columns {
		args[name] = column
	}
	return ledger.Bulk(ctx, tx, advanceFeedSQL, args)
}

// positionBefore returns the position of a step's task before the step. The argument `i` is the
// index of the step. A task outside of the claim keeps its position.
func positionBefore(g LaneClaim, i int, step Step) int64 {
	if i < len(g.Feeds) {
		return g.Feeds[i].Fed
	}
	return step.Feed.Fed
}
