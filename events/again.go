package events

import (
	"context"
	_ "embed"

	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/run_again.sql
	runAgainSQL string
	//go:embed sql/next_round.sql
	nextRoundSQL string
	//go:embed sql/descend.sql
	descendSQL string
	//go:embed sql/feed_anew.sql
	feedAnewSQL string
	//go:embed sql/feed_back.sql
	feedBackSQL string
	//go:embed sql/refeed.sql
	refeedSQL string
	//go:embed sql/unwait.sql
	unwaitSQL string
)

// runAgain does for the rows that are resubmitted what it takes to have them
// run: the task is not done any more, its counts move, and the feeder is told.
func (s *Store) runAgain(ctx context.Context, tx ledger.Tx, r Review, list []ruling) error {
	num := r.Num
	var changes []change
	var seqs []int64
	var attempts []int16
	for _, d := range list {
		if d.Resolution != Resubmitted {
			continue
		}
		seqs, attempts = append(seqs, d.ID.Seq()), append(attempts, int16(d.old.Attempt))
		changes = append(changes, change{
			num: num, seq: d.ID.Seq(), row: d.old.Row, from: d.old.Status, to: Enqueue,
			toRetry: d.old.Attempt > 0,
		})
	}
	if len(changes) == 0 {
		return nil
	}
	if err := s.begin(ctx, tx, num); err != nil {
		return err
	}
	if err := s.count(ctx, tx, changes); err != nil {
		return err
	}
	failpoint.Hit("reopened")
	return feedBack(ctx, tx, rerun{num, seqs, attempts, r.Anyway})
}

// begin begins another round of a task, whether it is done or runs still.
func (s *Store) begin(ctx context.Context, tx ledger.Tx, num int64) error {
	again, err := s.reopen(ctx, tx, num)
	if err == nil && !again {
		_, err = tx.Exec(ctx, nextRoundSQL, ledger.Args{"num": num})
	}
	return err
}

// reopen sets a task running again, if it is done, and then its parent, which
// waits for it again; a parent that was canceled, or purged, stays as it is. It reports
// whether the task was done.
func (s *Store) reopen(ctx context.Context, tx ledger.Tx, num int64) (reopened bool, err error) {
	for {
		var parent, total int64
		args := ledger.Args{"num": num, "now": s.now().UnixMilli()}
		again, err := ledger.Row(ctx, tx, runAgainSQL, args, &parent, &total)
		if err != nil || !again {
			return reopened, err
		}
		reopened = true
		if _, err := tx.Exec(ctx, feedAnewSQL, ledger.Args{"num": num, "total": total}); err != nil {
			return reopened, err
		}
		if err := s.place(ctx, tx, num); err != nil {
			return reopened, err
		}
		if parent == 0 {
			return reopened, nil
		}
		args["num"] = parent
		if _, err := tx.Exec(ctx, descendSQL, args); err != nil {
			return reopened, err
		}
		num = parent
	}
}

// rerun is rows of a task that are fed once more, each with its attempts so far.
type rerun struct {
	num      int64
	seqs     []int64
	attempts []int16
	anyway   bool // they run even if a newer row of their key has finished
}

// feedBack has rows fed once more. Some may still wait for that from before.
func feedBack(ctx context.Context, tx ledger.Tx, r rerun) error {
	waited, err := ledger.Bulk(ctx, tx, unwaitSQL, ledger.Args{"num": r.num, "seqs": r.seqs})
	if err != nil {
		return err
	}
	_, err = ledger.Bulk(ctx, tx, refeedSQL, ledger.Args{
		"num": r.num, "seqs": r.seqs, "attempts": r.attempts, "anyway": r.anyway,
	})
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, feedBackSQL, ledger.Args{"num": r.num, "rows": len(r.seqs) - ledger.Count(waited)})
	return err
}
