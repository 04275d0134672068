package ledger

import (
	"context"
	"database/sql"
	_ "embed"

	"gorm.io/gorm"
)

//go:embed sql/epoch.sql
var epochSQL string

// sqliteTx is a Tx of SQLite, in a transaction or on a pool. On a pool, each statement has its own
// transaction.
type sqliteTx struct{ tx sqliteConn }

// sqliteConn is the common part of a *sql.Tx and a *sql.DB.
type sqliteConn interface {
	ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error)
	PrepareContext(ctx context.Context, text string) (*sql.Stmt, error)
}

func (db *DB) sqliteTx(ctx context.Context, f func(Tx) error) error {
	return sqliteRun(ctx, db.Write, f)
}

func sqliteRun(ctx context.Context, g *gorm.DB, f func(Tx) error) error {
	pool, err := g.DB()
	if err != nil {
		return err
	}
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it is a no-op
	if err := f(sqliteTx{tx}); err != nil {
		return err
	}
	return tx.Commit()
}

func (t sqliteTx) Exec(ctx context.Context, text string, args Args) (int64, error) {
	text, args, err := forSQLite(text, args)
	if err != nil {
		return 0, err
	}
	res, err := t.tx.ExecContext(ctx, text, named(args)...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

func (t sqliteTx) Query(ctx context.Context, text string, args Args, row func(Scan) error) error {
	text, args, err := forSQLite(text, args)
	if err != nil {
		return err
	}
	rows, err := t.tx.QueryContext(ctx, text, named(args)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	return eachRow(rows, row)
}

// repeat executes a statement once for each row of arguments ?1, ?2, …, and reports for each row of
// arguments whether a row has changed. It prepares the statement once.
func (t sqliteTx) repeat(ctx context.Context, text string, rows [][]any) ([]bool, error) {
	stmt, err := t.tx.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	touched := make([]bool, len(rows))
	for i, row := range rows {
		res, err := stmt.ExecContext(ctx, row...)
		if err != nil {
			return nil, err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return nil, err
		}
		touched[i] = n > 0
	}
	return touched, nil
}

func named(args Args) []any {
	out := make([]any, 0, len(args))
	for name, value := range args {
		out = append(out, sql.Named(name, value))
	}
	return out
}
