package ledger

import (
	"cmp"
	"context"

	"github.com/jackc/pgx/v5"
)

// piper is a Tx that sends many runs of a statement in one round trip. On Postgres every Tx is a piper,
// except for DB.Writer and transactions of database/sql.
type piper interface {
	pipe(ctx context.Context, text string, list []Args) ([]int64, error)
	pipeRows(ctx context.Context, text string, list []Args, row func(i int, scan Scan) error) error
}

// ExecEach runs a statement once for each element of list, in order, and returns the number of changed
// rows of each run. If tx can send many statements at once, all runs share one round trip. Otherwise each
// run takes its own round trip.
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
	text = t.names.qualify(text)
	for _, args := range list {
		batch.Queue(text, pgx.NamedArgs(args))
	}
	results, touched := t.tx.SendBatch(ctx, &batch), make([]int64, len(list))
	for i := range list {
		tag, err := results.Exec()
		if err != nil {
			_ = results.Close() // err is the cause
			return nil, err
		}
		touched[i] = tag.RowsAffected()
	}
	return touched, results.Close()
}

// RowEach runs a statement once for each element of list, in order. For each returned row it calls the
// function `row` with the index of the element. If tx can send many statements at once, all runs share
// one round trip. Otherwise each run takes its own round trip.
func RowEach(ctx context.Context, tx Tx, text string, list []Args, row func(i int, scan Scan) error) error {
	if len(list) == 0 {
		return nil
	}
	if p, ok := tx.(piper); ok {
		return p.pipeRows(ctx, text, list, row)
	}
	for i, args := range list {
		err := tx.Query(ctx, text, args, func(scan Scan) error { return row(i, scan) })
		if err != nil {
			return err
		}
	}
	return nil
}

func (t pgTx) pipeRows(ctx context.Context, text string, list []Args, row func(i int, scan Scan) error) (err error) {
	var batch pgx.Batch
	text = t.names.qualify(text)
	for _, args := range list {
		batch.Queue(text, pgx.NamedArgs(args))
	}
	results := t.tx.SendBatch(ctx, &batch)
	defer func() { err = cmp.Or(err, results.Close()) }()
	for i := range list {
		rows, err := results.Query()
		if err != nil {
			return err
		}
		if err := eachRow(rows, func(scan Scan) error { return row(i, scan) }); err != nil {
			return err
		}
		rows.Close()
	}
	return nil
}
