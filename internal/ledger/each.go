package ledger

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// piper is a Tx that sends many runs of a statement at once (Postgres).
type piper interface {
	pipe(ctx context.Context, text string, list []Args) ([]int64, error)
}

// ExecEach runs a statement once for each of list, one after another, and tells
// how many rows each run touched. On Postgres it is one round trip, on a
// transaction that was joined one for each.
func ExecEach(ctx context.Context, tx Tx, text string, list []Args) (touched []int64, err error) {
	if len(list) == 0 {
		return nil, nil
	}
	if p, ok := tx.(piper); ok {
		return p.pipe(ctx, text, list)
	}
	touched = make([]int64, len(list))
	for i, args := range list {
		if touched[i], err = tx.Exec(ctx, text, args); err != nil {
			return nil, err
		}
	}
	return touched, nil
}

func (t pgTx) pipe(ctx context.Context, text string, list []Args) ([]int64, error) {
	var batch pgx.Batch
	for _, args := range list {
		batch.Queue(text, pgx.NamedArgs(args))
	}
	results, touched := t.tx.SendBatch(ctx, &batch), make([]int64, len(list))
	for i := range list {
		tag, err := results.Exec()
		if err != nil {
			_ = results.Close() // the cause is told
			return nil, err
		}
		touched[i] = tag.RowsAffected()
	}
	return touched, results.Close()
}
