package ledger

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
)

// ExecIn runs a statement in a caller's own transaction on any Postgres or SQLite database, and returns
// the number of changed rows. The arguments are $1, $2, … in their order. The transaction is a *gorm.DB
// inside Transaction, a *sql.Tx or a pgx.Tx; the caller ends it. For any other value, ExecIn returns
// ErrNotJoinable.
func ExecIn(ctx context.Context, tx any, text string, args ...any) (int64, error) {
	var std interface {
		ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error)
	}
	switch tx := tx.(type) {
	case pgx.Tx:
		tag, err := tx.Exec(ctx, text, args...)
		return tag.RowsAffected(), err
	case *sql.Tx:
		if tx != nil {
			std = tx
		}
	case *gorm.DB:
		if tx != nil && tx.Statement != nil {
			if _, ok := tx.Statement.ConnPool.(gorm.TxCommitter); ok {
				std = tx.Statement.ConnPool
			}
		}
	}
	if std == nil {
		return 0, fmt.Errorf("%w, not a %T", ErrNotJoinable, tx)
	}
	res, err := std.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

//go:embed sql/owners.sql
var ownersSQL string

// ownerKeys reports whether an API key was ever created, and returns the number of valid API keys of
// the owner.
func (db *DB) ownerKeys(ctx context.Context) (keyed bool, owners int64, err error) {
	var made int64
	_, err = Row(ctx, db.Reader(), ownersSQL, Args{"now": db.Now().UnixMilli()}, &made, &owners)
	return made > 0, owners, err
}
