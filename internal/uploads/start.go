package uploads

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/start.sql
	startSQL string
	//go:embed sql/settle.sql
	settleSQL string
)

// Start assigns the file of an upload to a task, in the transaction that adds the task. The record
// of the upload remains until it expires, so that a repeated request finds the task. Start returns
// ErrNotFound if the upload has ended, or if its file already has a task.
func (s *Store) Start(ctx context.Context, tx ledger.Tx, id string) error {
	n, err := tx.Exec(ctx, startSQL, ledger.Args{"id": id, "now": s.opt.Now().UnixMilli()})
	if err == nil && n == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("uploads: start: %w", err)
	}
	return nil
}

// Settle records an existing task as the task of an upload, and deletes the bytes of the upload. If the
// upload has ended, or its file already has a task, Settle is a no-op.
func (s *Store) Settle(ctx context.Context, id, task string) error {
	n, err := s.db.Writer().Exec(ctx, settleSQL, ledger.Args{"id": id, "task": task, "now": s.opt.Now().UnixMilli()})
	if err == nil && n > 0 {
		err = s.deleteBytes(ctx, id, true)
	}
	if err != nil {
		return fmt.Errorf("uploads: settle: %w", err)
	}
	return nil
}
