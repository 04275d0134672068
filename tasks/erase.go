package tasks

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/erase.sql
	eraseSQL string
	//go:embed sql/erase_outbox.sql
	eraseOutboxSQL string
	//go:embed sql/erase_files.sql
	eraseFilesSQL string
)

// ActErase is the act of Erase in the audit log of operators.
const ActErase = "delete-task"

// Erase removes the contents of a finished task of a tenant before its time, as Purge does
// later. eraseRows runs in the same transaction and removes the rows of the task; it may
// run again. The audit log of operators keeps actor, time, id and number of rows. Erase
// returns the files of the task. The caller deletes each file and calls FileGone; a keeper
// deletes the files that the caller left. Errors are those of Pause.
func (s *Store) Erase(
	ctx context.Context, tenant, id string, eraseRows func(ctx context.Context, tx ledger.Tx, num int64) error,
) (files []OldFile, err error) {
	found := false
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		var num, rows int64
		now := s.now().UnixMilli()
		args := ledger.Args{"id": id, "tenant": tenant, "now": now}
		if found, err = ledger.Row(ctx, tx, eraseSQL, args, &num, &rows); err != nil || !found {
			return err
		}
		if err := eraseRecords(ctx, tx, num, now); err != nil {
			return err
		}
		if err := eraseRows(ctx, tx, num); err != nil {
			return err
		}
		if files, err = filesOf(ctx, tx, num); err != nil {
			return err
		}
		return audit.Write(ctx, tx, audit.Entry{
			Subject: audit.Operators(tenant), At: now, Actor: cmp.Or(s.actor, system), Act: ActErase, Target: id,
			Touched: rows,
		})
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: erase %q: %w", id, err)
	}
	if found {
		return files, nil
	}
	t, err := s.Get(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("tasks: erase %q: %w", id, &StatusError{t.Status})
}

// eraseRecords removes the groups, audit, acts and notices of a task.
func eraseRecords(ctx context.Context, tx ledger.Tx, num, now int64) error {
	for _, text := range []string{purgeGroupsSQL, purgeAuditSQL, purgeActsSQL, eraseOutboxSQL} {
		args := ledger.Args{"now": now}
		if text == eraseOutboxSQL {
			args = ledger.Args{"num": num}
		}
		if _, err := tx.Exec(ctx, text, args); err != nil {
			return err
		}
	}
	return nil
}

// filesOf returns the files of a task.
func filesOf(ctx context.Context, tx ledger.Tx, num int64) ([]OldFile, error) {
	return ledger.List(ctx, tx, eraseFilesSQL, ledger.Args{"num": num}, func(scan ledger.Scan, f *OldFile) error {
		f.Num = num
		return scan(&f.What, &f.FileID)
	})
}
