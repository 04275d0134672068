package events

import (
	"context"
	_ "embed"

	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/feedrow"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/run_again.sql
	runAgainSQL string
	//go:embed sql/next_round.sql
	nextRoundSQL string
	//go:embed sql/child_reopened.sql
	childReopenedSQL string
	//go:embed sql/feed_anew.sql
	feedAnewSQL string
	//go:embed sql/feed_back.sql
	feedBackSQL string
	//go:embed sql/refeed.sql
	refeedSQL string
	//go:embed sql/unwait.sql
	unwaitSQL string
)

// Rerun is a resubmission of rows of one task. Rows holds the state of the rows before the resubmission.
type Rerun struct {
	Num    int64 // of the task
	Rows   []*Event
	Anyway bool // they run even if a newer row of their key has finished
}

// RunAgain reopens the task of resubmitted rows, or begins its next round if it still runs. It updates
// the counts of the task and adds the rows to the list of rows that the feeder pushes again. The caller
// must change the rows in the same transaction.
func (s *Store) RunAgain(ctx context.Context, tx ledger.Tx, r Rerun) error {
	if len(r.Rows) == 0 {
		return nil
	}
	changes := make([]change, len(r.Rows))
	for i, e := range r.Rows {
		changes[i] = change{
			num: r.Num, seq: e.ID.Seq(), row: e.Row, from: e.Status, to: Enqueue, toRetry: e.Attempt > 0,
		}
	}
	if err := s.beginRound(ctx, tx, r.Num); err != nil {
		return err
	}
	if err := s.count(ctx, tx, changes); err != nil {
		return err
	}
	failpoint.Hit("reopened")
	return feedBack(ctx, tx, r)
}

// beginRound starts the next round of a task, in which the notices of its end and of its first failure are
// written again. It reopens a task that is done.
func (s *Store) beginRound(ctx context.Context, tx ledger.Tx, num int64) error {
	again, err := s.reopen(ctx, tx, num)
	if err == nil && !again {
		_, err = tx.Exec(ctx, nextRoundSQL, ledger.Args{"num": num})
	}
	return err
}

// reopen makes a done task run again, and reports whether it did. A canceled or purged task stays
// unchanged. reopen also reopens the ancestors that are done, which then wait for the task again.
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
		if err := feedrow.Place(ctx, tx, s.now(), num); err != nil {
			return reopened, err
		}
		if parent == 0 {
			return reopened, nil
		}
		args["num"] = parent
		if _, err := tx.Exec(ctx, childReopenedSQL, args); err != nil {
			return reopened, err
		}
		num = parent
	}
}

// feedBack adds rows to the list of rows that the feeder pushes again. Some of them may still be in
// the list from an earlier call.
func feedBack(ctx context.Context, tx ledger.Tx, r Rerun) error {
	seqs := ledger.Column(r.Rows, func(e **Event) int64 { return (*e).ID.Seq() })
	attempts := ledger.Column(r.Rows, func(e **Event) int16 { return int16((*e).Attempt) })
	waited, err := ledger.Bulk(ctx, tx, unwaitSQL, ledger.Args{"num": r.Num, "seqs": seqs})
	if err != nil {
		return err
	}
	_, err = ledger.Bulk(ctx, tx, refeedSQL, ledger.Args{
		"num": r.Num, "seqs": seqs, "attempts": attempts, "anyway": r.Anyway,
	})
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, feedBackSQL, ledger.Args{"num": r.Num, "rows": len(seqs) - ledger.Count(waited)})
	return err
}
