package ledger

import (
	"context"
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
// statements of single values: a *gorm.DB inside Transaction, a *sql.Tx, a
// pgx.Tx, or a Tx, which is returned as it is. The caller commits it or rolls
// it back.
func (db *DB) Join(tx any) (Tx, error) {
	switch tx := tx.(type) {
	case Tx:
		return tx, nil
	case pgx.Tx:
		if db.Pool != nil {
			return pgTx{tx}, nil
		}
	case *sql.Tx:
		if tx != nil {
			return joined{tx, db.Pool != nil}, nil
		}
	case *gorm.DB:
		if tx == nil || tx.Statement == nil {
			break
		}
		if _, ok := tx.Statement.ConnPool.(gorm.TxCommitter); ok && tx.Name() == db.Write.Name() {
			return joined{tx.Statement.ConnPool, db.Pool != nil}, nil
		}
	}
	return nil, fmt.Errorf("%w, not a %T", ErrNotJoinable, tx)
}

// joined is a transaction of database/sql that someone else ends.
type joined struct {
	tx       gorm.ConnPool
	postgres bool
}

func (t joined) Exec(ctx context.Context, text string, args Args) (int64, error) {
	text, list, err := t.arguments(ctx, text, args)
	if err != nil {
		return 0, err
	}
	res, err := t.tx.ExecContext(ctx, text, list...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

func (t joined) Query(ctx context.Context, text string, args Args, row func(Scan) error) error {
	text, list, err := t.arguments(ctx, text, args)
	if err != nil {
		return err
	}
	rows, err := t.tx.QueryContext(ctx, text, list...)
	if err != nil {
		return err
	}
	defer rows.Close()
	return eachRow(rows, row)
}

// arguments are named ones as the database takes them.
func (t joined) arguments(ctx context.Context, text string, args Args) (string, []any, error) {
	if !t.postgres {
		return text, named(args), nil
	}
	return pgx.NamedArgs(args).RewriteQuery(ctx, nil, text, nil)
}
