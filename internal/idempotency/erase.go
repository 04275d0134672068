package idempotency

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/erase.sql
	eraseSQL string
	//go:embed sql/erase_answers.sql
	eraseAnswersSQL string
)

// EraseIn forgets the requests of a tenant that made a task or were about it, and their
// answers, in a transaction of the caller.
func (s *Store) EraseIn(ctx context.Context, tx ledger.Tx, tenant, task string) error {
	_, err := tx.Exec(ctx, eraseSQL, ledger.Args{"tenant": tenant, "task": task})
	if err != nil {
		return fmt.Errorf("idempotency: erase: %w", err)
	}
	return nil
}

// EraseAnswersIn forgets answers to requests of a tenant about a task, in a transaction of
// the caller. The request that made the task is still answered once.
func (s *Store) EraseAnswersIn(ctx context.Context, tx ledger.Tx, tenant, task string) error {
	_, err := tx.Exec(ctx, eraseAnswersSQL, ledger.Args{"tenant": tenant, "task": task})
	if err != nil {
		return fmt.Errorf("idempotency: erase answers: %w", err)
	}
	return nil
}
