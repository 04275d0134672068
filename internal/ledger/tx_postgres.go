package ledger

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// pgTx is a Tx of Postgres, in a transaction or on the pool. On the pool, each statement has its own
// transaction.
type pgTx struct {
	tx    pgConn
	names *names
}

// pgConn is the common part of a pgx.Tx and a pool.
type pgConn interface {
	Exec(ctx context.Context, text string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, text string, args ...any) (pgx.Rows, error)
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error)
}

func (db *DB) pgTx(ctx context.Context, f func(Tx) error) error {
	return pgx.BeginFunc(ctx, db.Pool, func(tx pgx.Tx) error { return f(pgTx{tx, db.names}) })
}

func (t pgTx) Exec(ctx context.Context, text string, args Args) (int64, error) {
	tag, err := t.tx.Exec(ctx, t.names.qualify(text), pgx.NamedArgs(args))
	return tag.RowsAffected(), err
}

func (t pgTx) Query(ctx context.Context, text string, args Args, row func(Scan) error) error {
	rows, err := t.tx.Query(ctx, t.names.qualify(text), pgx.NamedArgs(args))
	if err != nil {
		return err
	}
	defer rows.Close()
	return eachRow(rows, row)
}
