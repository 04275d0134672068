package ledger

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
)

// ErrNotJoinable means that the argument of Join or ExecIn is not a transaction in which the
// statements can run.
var ErrNotJoinable = errors.New("want a *gorm.DB inside Transaction, a *sql.Tx, a pgx.Tx or a transaction of the ledger")

// Join returns a Tx that runs statements in a caller's transaction on the ledger's database. The
// transaction is a *gorm.DB inside Transaction, a *sql.Tx or a pgx.Tx. A Tx is returned unchanged. For
// any other value, Join returns ErrNotJoinable. The caller commits the transaction or rolls it back.
func (db *DB) Join(tx any) (Tx, error) {
	switch tx := tx.(type) {
	case Tx:
		return tx, nil
	case pgx.Tx:
		if db.Pool != nil {
			return pgTx{tx, db.names}, nil
		}
	case *sql.Tx:
		if tx != nil {
			return db.join(tx), nil
		}
	case *gorm.DB:
		if tx == nil || tx.Statement == nil {
			break
		}
		if _, ok := tx.Statement.ConnPool.(gorm.TxCommitter); ok && tx.Name() == db.Write.Name() {
			return db.join(tx.Statement.ConnPool), nil
		}
	}
	return nil, fmt.Errorf("%w, not a %T", ErrNotJoinable, tx)
}

// join returns a Tx on a transaction of database/sql that the caller ends.
func (db *DB) join(tx gorm.ConnPool) Tx {
	if db.Pool == nil {
		return sqliteTx{namedTx{tx, db.names}}
	}
	return joined{tx, db.names}
}
