package events

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/last.sql
	lastSQL string
	//go:embed sql/erase.sql
	eraseSQL string
	//go:embed sql/erase_acts.sql
	eraseActsSQL string
)

// eraseChunk is the maximum number of rows or undo records that one transaction of Erase deletes.
const eraseChunk = 2000

// Erase deletes the undo records of acts on the rows of the task with number `num`, at most 2,000
// in a transaction. If `rows` is true, it also deletes the rows and the checkpoints of their jobs.
// After an error, a second call deletes the rest.
func (s *Store) Erase(ctx context.Context, num int64, rows bool) error {
	err := s.eraseActs(ctx, num)
	if err == nil && rows {
		err = s.eraseRows(ctx, num)
	}
	if err != nil {
		return fmt.Errorf("events: erase rows of task %d: %w", num, err)
	}
	return nil
}

func (s *Store) eraseActs(ctx context.Context, num int64) error {
	args := Bounds(num)
	args["most"] = eraseChunk
	for {
		n, err := s.db.Writer().Exec(ctx, eraseActsSQL, args)
		if err != nil || n < eraseChunk {
			return err
		}
	}
}

// eraseRows deletes the rows of a task and the checkpoints of their jobs, in ranges and in file
// order.
func (s *Store) eraseRows(ctx context.Context, num int64) error {
	var first, last *int64
	if _, err := ledger.Row(ctx, s.db.Reader(), lastSQL, Bounds(num), &first, &last); err != nil || first == nil {
		return err
	}
	for low := *first - 1; low < *last; low += eraseChunk {
		err := s.db.InTx(ctx, func(tx ledger.Tx) error {
			if err := ForgetCheckpoints(ctx, tx, ID(low+1), ID(low+eraseChunk)); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, eraseSQL, ledger.Args{"low": low, "high": min(low+eraseChunk, *last) + 1})
			return err
		})
		if err != nil {
			return err
		}
		failpoint.Hit("erased")
	}
	return nil
}
