package worker

import (
	"context"
	"fmt"
)

// Args holds the arguments of a statement by name: @name in the text.
type Args = map[string]any

// Tx is a transaction on the ledger's database, Postgres or SQLite. Query takes a slice as an
// array: = ANY (cast(@ids AS bigint[])). A failed statement rolls the job back, even if the handler
// ignores the error.
type Tx interface {
	// Exec runs a statement and returns the number of changed rows.
	Exec(ctx context.Context, text string, args Args) (rows int64, err error)
	// Query calls the function `row` for each row of the result. The function must not run a statement.
	Query(ctx context.Context, text string, args Args, row func(scan func(dest ...any) error) error) error
}

// TxHandler is a Handler that works in a transaction.
type TxHandler[T any] func(ctx context.Context, tx Tx, job *Job[T]) error

// DefineTx makes a kind whose handler writes to the ledger's own database. Its writes through tx
// and the record of the finished job are committed together, so the effect happens exactly once.
// Any error rolls the writes back.
//
// A handler may be called several times for one attempt, so it must have no effect except through
// tx. Do slow work before the first statement of tx: from then on the handler has 10 s on Postgres,
// 150 ms on SQLite (ErrTxHeld).
func DefineTx[T any](name string, h TxHandler[T], opts ...Option) *Definition[T] {
	d := &Definition[T]{handler: func(ctx context.Context, job *Job[T]) error {
		b := job.state().Services
		if b == nil {
			return fmt.Errorf("worker: %s: %w", name, ErrNoTx)
		}
		return h(ctx, b.Tx(), job)
	}}
	inTx := func(s *spec) { s.Tx = true }
	d.define(name, h == nil, append([]Option{inTx}, opts...))
	return d
}
