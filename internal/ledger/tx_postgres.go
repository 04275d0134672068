package ledger

import (
	"context"

	"github.com/jackc/pgx/v5"
)

type pgTx struct{ tx pgx.Tx }

func (db *DB) pgTx(ctx context.Context, f func(Tx) error) error {
	return pgx.BeginFunc(ctx, db.Pool, func(tx pgx.Tx) error { return f(pgTx{tx}) })
}

func (t pgTx) Exec(ctx context.Context, text string, args Args) (int64, error) {
	tag, err := t.tx.Exec(ctx, text, pgx.NamedArgs(args))
	return tag.RowsAffected(), err
}

func (t pgTx) Query(ctx context.Context, text string, args Args, row func(Scan) error) error {
	rows, err := t.tx.Query(ctx, text, pgx.NamedArgs(args))
	if err != nil {
		return err
	}
	defer rows.Close()
	return eachRow(rows, row)
}
