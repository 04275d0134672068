package ledger

import (
	"context"
	"database/sql"
)

type heldSQLite struct {
	sqliteTx
	tx *sql.Tx
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
	return heldSQLite{sqliteTx{tx}, tx}, nil
}

func (h heldSQLite) commit(context.Context) error   { return h.tx.Commit() }
func (h heldSQLite) rollback(context.Context) error { return h.tx.Rollback() }

// lost always returns false. After SQLite has ended the transaction, the methods Keep, Undo and Commit
// return an error.
func (h heldSQLite) lost() bool { return false }
