package worker

import (
	"context"
	"fmt"
)

// Args are the arguments of a statement by name: @name in its text.
type Args = map[string]any

// Scan reads the columns of one row of a result into pointers, in their order.
type Scan = func(dest ...any) error

// Tx is a transaction on the ledger's database. The same text runs on Postgres and SQLite; a slice
// among the arguments of Query is an array: = ANY (cast(@ids AS bigint[])). If a statement fails,
// the job's effects are rolled back, whatever the handler returns.
type Tx interface {
	// Exec runs a statement and returns the number of changed rows.
	Exec(ctx context.Context, text string, args Args) (rows int64, err error)

	// Query calls row once for each row of the result. row runs no statement.
	Query(ctx context.Context, text string, args Args, row func(scan Scan) error) error
}

// TxHandler does the work of one job in a transaction.
type TxHandler[T any] func(ctx context.Context, tx Tx, job *Job[T]) error

// DefineTx makes a kind whose handler writes to the ledger's own database. Its writes through tx
// and the record of the finished job are committed together: the effect happens exactly once. An
// error, also a business failure, rolls them back.
//
// A handler may be called several times for one attempt, so it must have no effect except through
// tx. tx begins with its first statement: do slow work before it. After it, a handler has 10 s on
// Postgres and 150 ms on SQLite, where all writers wait; then the job is a system fault, ErrTxHeld.
// See docs/workers/embedding.md for the groups in which jobs are committed.
func DefineTx[T any](name string, h TxHandler[T], opts ...Option) *Definition[T] {
	d := &Definition[T]{handler: func(ctx context.Context, job *Job[T]) error {
		b := job.state().Backing
		if b == nil {
			return fmt.Errorf("worker: %s: %w", name, ErrNoTx)
		}
		return h(ctx, b.Tx(), job)
	}}
	inTx := func(s *spec) { s.Tx = true }
	d.define(name, h == nil, append([]Option{inTx}, opts...))
	return d
}
