package ledger

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
)

// ErrNotJoinable means that what was handed over is not a transaction that
// the ledger's statements can run in.
var ErrNotJoinable = errors.New("want a *gorm.DB of Transaction, a *sql.Tx, a pgx.Tx or the ledger's own")

// Join makes a caller's own transaction on the ledger's database run its
// statements: a *gorm.DB inside Transaction, a *sql.Tx, a pgx.Tx, or a Tx,
// which is returned as it is. The caller commits it or rolls it back.
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

// join returns a transaction of database/sql that someone else ends.
func (db *DB) join(tx gorm.ConnPool) Tx {
	if db.Pool == nil {
		return sqliteTx{namedTx{tx, db.names}}
	}
	return joined{tx, db.names}
}
