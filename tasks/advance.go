package tasks

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/return_lane.sql
	returnLaneSQL string
	//go:embed sql/advance_feed.sql
	advanceFeedSQL string
)

// Step holds the progress of a feeder with one task of a claimed lane.
type Step struct {
	Feed    Feed  // Fed and AgainFrom are the new ones
	Waited  int64 // rows that are no longer unfed
	Pushed  int64 // rows that were pushed for the first time
	Held    int64 // change in the number of held rows; may be negative
	Doubted int64 // the next rows, some of which may have reached Redis all the same: the next Feed.Doubted
}

// AdvanceLane notes steps of a claimed lane and what changes among its held rows, and gives
// the claim back, all in one transaction. The first steps are those of the granted tasks, in
// their order. If the claim was lost meanwhile, that is ErrClaimLost and nothing changes.
// It is ErrClaimLost, too, if a task was canceled or is done: the others are noted.
func (s *Store) AdvanceLane(ctx context.Context, g Grant, steps []Step, sh Shift) error {
	list, pushed := make([]ledger.Args, len(steps)), int64(0)
	for i, one := range steps {
		pushed += one.Pushed
		list[i] = ledger.Args{
			"num": one.Feed.Num, "was": was(g, i, one), "fed": one.Feed.Fed, "again_from": one.Feed.AgainFrom,
			"waited": one.Waited, "pushed": one.Pushed, "held": one.Held, "doubted": one.Doubted, "room": g.Room,
		}
	}
	var noted []int64
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		args := ledger.Args{"lane": g.Lane, "claim": int64(g.Claim), "pushed": pushed}
		n, err := tx.Exec(ctx, returnLaneSQL, args)
		if err == nil && n == 0 {
			err = ErrClaimLost
		}
		if err == nil {
			noted, err = youngestFirst(ctx, tx, advanceFeedSQL, list)
		}
		if err == nil {
			err = s.shift(ctx, tx, g.Lane, sh.of(steps, noted))
		}
		return err
	})
	if err == nil && slices.Contains(noted, 0) {
		err = ErrClaimLost
	}
	if err != nil {
		return fmt.Errorf("tasks: advance lane: %w", err)
	}
	return nil
}

// was is the position of the task of step i before: of a task that was not granted it stays.
func was(g Grant, i int, one Step) int64 {
	if i < len(g.Feeds) {
		return g.Feeds[i].Fed
	}
	return one.Feed.Fed
}

// youngestFirst runs a statement for each of some feeds, in the order in which
// the tasks of a group of outcomes are ended, so that the two never wait for
// each other crosswise. It returns how many rows each touched, in the order of list.
func youngestFirst(ctx context.Context, tx ledger.Tx, text string, list []ledger.Args) ([]int64, error) {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Compare(list[b]["num"].(int64), list[a]["num"].(int64))
	})
	sorted := make([]ledger.Args, len(list))
	for k, i := range order {
		sorted[k] = list[i]
	}
	n, err := ledger.ExecEach(ctx, tx, text, sorted)
	if err != nil {
		return nil, err
	}
	touched := make([]int64, len(list))
	for k, i := range order {
		touched[i] = n[k]
	}
	return touched, nil
}
