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

// EraseIn deletes the requests of a tenant that created a task or concern it, and their responses,
// in a transaction of the caller.
func (s *Store) EraseIn(ctx context.Context, tx ledger.Tx, tenant, task string) error {
	_, err := tx.Exec(ctx, eraseSQL, ledger.Args{"tenant": tenant, "task": task})
	if err != nil {
		return fmt.Errorf("idempotency: erase: %w", err)
	}
	return nil
}

// EraseAnswersIn deletes responses to requests of a tenant about a task, in a transaction of the
// caller. A repetition of the request that created the task still creates no second one.
func (s *Store) EraseAnswersIn(ctx context.Context, tx ledger.Tx, tenant, task string) error {
	_, err := tx.Exec(ctx, eraseAnswersSQL, ledger.Args{"tenant": tenant, "task": task})
	if err != nil {
		return fmt.Errorf("idempotency: erase answers: %w", err)
	}
	return nil
}
