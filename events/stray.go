package events

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/hold_mark.sql
	holdMarkSQL string
	//go:embed sql/stray.sql
	straySQL string
)

// NoteStray notes that the job of a row is about to be pushed late: it was lost, so newer rows
// of its key may have finished. From then on States judges the row like a resubmitted row. The
// note lasts until the task is done, also if Redis is emptied meanwhile.
//
// redis is the mark of the Redis that lost the job. NoteStray returns false if the caller
// must not push: the row is at rest, or feeders push all rows again under a newer mark.
func (s *Store) NoteStray(ctx context.Context, id ID, redis string) (noted bool, err error) {
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		noted = false
		n, err := tx.Exec(ctx, holdMarkSQL, ledger.Args{"redis": redis})
		if err != nil || n == 0 {
			return err
		}
		n, err = tx.Exec(ctx, straySQL, ledger.Args{"num": id.Num(), "seq": id.Seq(), "id": int64(id)})
		noted = n == 1
		return err
	})
	if err != nil {
		return false, fmt.Errorf("events: note stray %d: %w", id, err)
	}
	return noted, nil
}
