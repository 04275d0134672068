package tasks

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/feedrow"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/erase.sql
	eraseSQL string
	//go:embed sql/erase_files.sql
	eraseFilesSQL string
)

// ActErase is the action of Erase in the audit log of operators.
const ActErase = "delete-task"

// Erase hides a done task of a tenant, and deletes the texts in its record. The caller then calls
// Sweep. If the caller crashes, the process with the role Retention calls Sweep. Get returns
// ErrNotFound until Sweep has deleted the rest, and ErrExpired afterwards. Erase calls `also`
// within its transaction, possibly more than once. The audit log of operators keeps actor, time,
// task id and number of rows. Erase returns the same errors as Pause.
func (s *Store) Erase(
	ctx context.Context, tenant, id string, also func(ctx context.Context, tx ledger.Tx) error,
) (left Remains, err error) {
	found := false
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		var rows int64
		now := s.now().UnixMilli()
		left = Remains{Left: LeftRows}
		args := ledger.Args{"id": id, "tenant": tenant, "now": now}
		if found, err = ledger.Row(ctx, tx, eraseSQL, args, &left.Num, &rows); err != nil || !found {
			return err
		}
		if err := also(ctx, tx); err != nil {
			return err
		}
		if err := s.cancelFollowers(ctx, tx, left.Num); err != nil {
			return err
		}
		if err := feedrow.DropHeld(ctx, tx, left.Num); err != nil {
			return err
		}
		return audit.Write(ctx, tx, audit.Entry{
			Subject: audit.Operators(tenant), At: now, Actor: cmp.Or(s.actor, system), Act: ActErase, Target: id,
			Touched: rows,
		})
	})
	if err != nil {
		return left, fmt.Errorf("tasks: erase %q: %w", id, err)
	}
	if found {
		return left, nil
	}
	t, err := s.Get(ctx, tenant, id)
	if err != nil {
		return left, err
	}
	return left, fmt.Errorf("tasks: erase %q: %w", id, &StatusError{t.Status})
}

// Files returns the stored files of the task with number `num`: its upload, its result and the
// parts of its result.
func (s *Store) Files(ctx context.Context, num int64) ([]ExpiredFile, error) {
	args := ledger.Args{"num": num}
	out, err := ledger.List(ctx, s.db.Reader(), eraseFilesSQL, args, func(scan ledger.Scan, f *ExpiredFile) error {
		f.Num = num
		return scan(&f.What, &f.FileID)
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: files of task %d: %w", num, err)
	}
	return out, nil
}
