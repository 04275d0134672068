package worker

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/once_table.sql
var onceTableSQL string

const onceSQL = "INSERT INTO rollcall_once (effect) VALUES ($1) ON CONFLICT DO NOTHING"

// OnceTable returns the statement that creates the table of Call.Once.
func OnceTable() string { return onceTableSQL }

// Once records in tx that the named effect of this job is done. It returns true if the effect was
// not done before. Do the effect in the same tx; after an error, roll tx back. tx is a *gorm.DB
// inside Transaction, a *sql.Tx or a pgx.Tx on any Postgres or SQLite database with the OnceTable.
// A concurrent run waits. In Definition.Call, Once returns true.
func (c *Call) Once(ctx context.Context, tx any, name string) (first bool, err error) {
	switch {
	case c.ID == "" && c.state().Services == nil:
		return true, nil
	case c.ID == "":
		return false, fmt.Errorf("worker: once %q: %w", name, ErrUntracked)
	}
	n, err := ledger.ExecIn(ctx, tx, onceSQL, c.ID+"/"+name)
	if err != nil {
		return false, fmt.Errorf("worker: once %q for %s: %w", name, c.ID, err)
	}
	return n > 0, nil
}
