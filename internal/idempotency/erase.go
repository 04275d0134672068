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

// EraseIn deletes a tenant's requests that created or concern a task, with their responses. It runs
// in the caller's transaction.
func (s *Store) EraseIn(ctx context.Context, tx ledger.Tx, tenant, task string) error {
	_, err := tx.Exec(ctx, eraseSQL, ledger.Args{"tenant": tenant, "task": task})
	if err != nil {
		return fmt.Errorf("idempotency: erase: %w", err)
	}
	return nil
}

// EraseAnswersIn deletes a tenant's requests about a task that have a response, with their responses. It
// runs in the caller's transaction. The request that created the task remains, so that its repetition
// creates no second task.
func (s *Store) EraseAnswersIn(ctx context.Context, tx ledger.Tx, tenant, task string) error {
	_, err := tx.Exec(ctx, eraseAnswersSQL, ledger.Args{"tenant": tenant, "task": task})
	if err != nil {
		return fmt.Errorf("idempotency: erase answers: %w", err)
	}
	return nil
}
