package lanes

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/mark_feeds.sql
	markFeedsSQL string
	//go:embed sql/pushed_before.sql
	pushedBeforeSQL string
	//go:embed sql/claim_stale.sql
	claimStaleSQL string
	//go:embed sql/set_stale.sql
	setStaleSQL string
	//go:embed sql/forget_marks.sql
	forgetMarksSQL string
)

// staleSteps is the number of steps into which StuckTasks divides its argument `age`. A job that is
// older than `age` is counted at most two steps late. The positions of feeds are recorded once per step,
// and the rows of a task are counted once per step.
const staleSteps = 12

// StuckTask is a task with rows that were pushed longer ago than the argument `age` of StuckTasks.
type StuckTask struct {
	Num int64
	Fed int64 // the greatest seq of these rows
}

// StuckTasks returns tasks with rows that were pushed longer than `age` ago. It returns only tasks of
// tenants with a limit of slots. The caller counts these rows, and stores their number with SetStuck.
// Call StuckTasks at least once per twelfth of `age`. Each task is returned to one process only, at most
// once in that time.
func (s *Store) StuckTasks(ctx context.Context, age time.Duration) ([]StuckTask, error) {
	now := s.now().UnixMilli()
	step := max(age.Milliseconds()/staleSteps, 1)
	args := ledger.Args{
		"now": now, "at": now - now%step + step, "before": now - age.Milliseconds(), "counted": now - step,
	}
	var out []StuckTask
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		out = nil
		if _, err := tx.Exec(ctx, markFeedsSQL, args); err != nil {
			return err
		}
		var err error
		if out, err = claimStuck(ctx, tx, args); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, forgetMarksSQL, args)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("lanes: aged feeds: %w", err)
	}
	return out, nil
}

// claimStuck claims the tasks with rows that were pushed before args["before"], unless a process has
// counted these rows since args["counted"].
func claimStuck(ctx context.Context, tx ledger.Tx, args ledger.Args) (mine []StuckTask, err error) {
	all, err := ledger.List(ctx, tx, pushedBeforeSQL, args, func(scan ledger.Scan, a *StuckTask) error {
		return scan(&a.Num, &a.Fed)
	})
	for _, a := range all {
		if err != nil {
			break
		}
		args["num"] = a.Num
		n := int64(0)
		if n, err = tx.Exec(ctx, claimStaleSQL, args); n == 1 {
			mine = append(mine, a)
		}
	}
	return mine, err
}

// SetStuck stores how many rows of a task have occupied slots for longer than the argument `age` of
// StuckTasks. These slots count as free. The argument `rows` may include held rows. They occupy no slot,
// so SetStuck subtracts them.
func (s *Store) SetStuck(ctx context.Context, num, rows int64) error {
	_, err := s.db.Writer().Exec(ctx, setStaleSQL, ledger.Args{"num": num, "rows": rows})
	if err != nil {
		return fmt.Errorf("lanes: set stale: %w", err)
	}
	return nil
}
