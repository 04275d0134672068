package idempotency

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/erase.sql
var eraseSQL string

// EraseIn forgets the requests of a tenant that made a task or were about it, and their
// answers, in a transaction of the caller.
func (s *Store) EraseIn(ctx context.Context, tx ledger.Tx, tenant, task string) error {
	_, err := tx.Exec(ctx, eraseSQL, ledger.Args{"tenant": tenant, "task": task})
	if err != nil {
		return fmt.Errorf("idempotency: erase: %w", err)
	}
	return nil
}
