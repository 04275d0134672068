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

// OnceTable is the statement that makes the table which Call.Once needs, in a
// Postgres or SQLite database of one's own. It does nothing if it is there.
func OnceTable() string { return onceTableSQL }

// Once tells whether what a name stands for is still to be done for this job, and
// notes in tx that it is: a transaction on any Postgres or SQLite database that
// has the OnceTable, as a *gorm.DB inside Transaction, a *sql.Tx or a pgx.Tx.
// Do it in the same tx; whatever runs the job again is then told false, and of
// two runs at the same time the second waits for the first. It is also false for
// a row that a person has repaired after its effect was committed.
//
//	first, err := job.Once(ctx, tx, "charge")
//
// A kind that writes to the ledger's own database needs no names: see DefineTx. Where
// there is no job, in Definition.Call, it is true; jobs of an untracked kind have
// no names to be known by: ErrUntracked. Any error spoils tx.
func (c *Call) Once(ctx context.Context, tx any, name string) (first bool, err error) {
	switch {
	case c.ID == "" && c.Backing == nil:
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
