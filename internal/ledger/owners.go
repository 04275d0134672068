package ledger

import (
	"context"
	_ "embed"
)

//go:embed sql/owners.sql
var ownersSQL string

// owners returns whether keys were ever made, and how many of the owner still count.
func (db *DB) owners(ctx context.Context) (keyed bool, owners int64, err error) {
	var made int64
	_, err = Row(ctx, db.Reader(), ownersSQL, Args{"now": db.Now().UnixMilli()}, &made, &owners)
	return made > 0, owners, err
}
