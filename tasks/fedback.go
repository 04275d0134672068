package tasks

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/fed_back.sql
	fedBackSQL string
	//go:embed sql/fed_back_sqlite.sql
	fedBackSQLiteSQL string
	//go:embed sql/back_fewer.sql
	backFewerSQL string
)

// Fed is a resubmitted row that was pushed, as it stood at an attempt.
type Fed struct {
	Seq     int64
	Attempt int
}

// FedBack notes that resubmitted rows were pushed under the mark of a Redis. A row
// that was resubmitted once more meanwhile still waits, and so do all if another
// Redis is in use by now.
func (s *Store) FedBack(ctx context.Context, num int64, redis string, rows []Fed) error {
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		n, err := fedBack(ctx, tx, num, redis, rows)
		if err != nil || n == 0 {
			return err
		}
		_, err = tx.Exec(ctx, backFewerSQL, ledger.Args{"num": num, "rows": n})
		return err
	})
	if err != nil {
		return fmt.Errorf("tasks: resubmitted rows of %d are fed: %w", num, err)
	}
	return nil
}

func fedBack(ctx context.Context, tx ledger.Tx, num int64, redis string, rows []Fed) (n int64, err error) {
	lite, ok := tx.(ledger.Repeater)
	if !ok {
		seqs, attempts := make([]int64, len(rows)), make([]int16, len(rows))
		for i, r := range rows {
			seqs[i], attempts[i] = r.Seq, int16(r.Attempt)
		}
		return tx.Exec(ctx, fedBackSQL, ledger.Args{
			"num": num, "redis": redis, "seqs": seqs, "attempts": attempts,
		})
	}
	list := make([][]any, len(rows))
	for i, r := range rows {
		list[i] = []any{num, r.Seq, r.Attempt, redis}
	}
	touched, err := lite.Repeat(ctx, fedBackSQLiteSQL, list)
	for _, t := range touched {
		if t {
			n++
		}
	}
	return n, err
}
