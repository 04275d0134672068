package ledger

import (
	"context"
	_ "embed"
)

//go:embed sql/in_order.sql
var inOrderSQL string

// Probe is View for statements that read the first few entries of an index. Postgres would
// else read and sort all entries where its statistics are older than the entries: then it
// takes the many for few.
func (db *DB) Probe(ctx context.Context, f func(Tx) error) error {
	return db.View(ctx, func(tx Tx) error {
		if err := db.InOrder(ctx, tx); err != nil {
			return err
		}
		return f(tx)
	})
}

// InOrder has the rest of a transaction of the ledger read as Probe does.
func (db *DB) InOrder(ctx context.Context, tx Tx) error {
	if db.Pool == nil {
		return nil
	}
	_, err := tx.Exec(ctx, inOrderSQL, nil)
	return err
}
