package ledger

import (
	"context"
	"database/sql"
)

// heldSQLite is a transaction of SQLite that prepares each statement once.
type heldSQLite struct {
	sqliteTx
	tx    *sql.Tx
	stmts map[string]*sql.Stmt // closed with the transaction
}

func (db *DB) holdSQLite(ctx context.Context) (holder, error) {
	pool, err := db.Write.DB()
	if err != nil {
		return nil, err
	}
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	return &heldSQLite{sqliteTx{tx}, tx, map[string]*sql.Stmt{}}, nil
}

func (h *heldSQLite) Exec(ctx context.Context, text string, args Args) (int64, error) {
	text, args, err := listed(text, args)
	if err != nil {
		return 0, err
	}
	stmt, err := h.prepared(ctx, text)
	if err != nil {
		return 0, err
	}
	res, err := stmt.ExecContext(ctx, named(args)...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

func (h *heldSQLite) prepared(ctx context.Context, text string) (*sql.Stmt, error) {
	if stmt, ok := h.stmts[text]; ok {
		return stmt, nil
	}
	stmt, err := h.tx.PrepareContext(ctx, text)
	if err == nil {
		h.stmts[text] = stmt
	}
	return stmt, err
}

func (h *heldSQLite) commit(context.Context) error   { return h.tx.Commit() }
func (h *heldSQLite) rollback(context.Context) error { return h.tx.Rollback() }

// lost reports false: a transaction that SQLite has ended refuses the next statement about
// its savepoint, and its commit.
func (h *heldSQLite) lost() bool { return false }
