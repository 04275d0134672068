package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// Errors of kinds that DefineTx makes. Callers may test for them with errors.Is.
var (
	// ErrNoTx means that a job of such a kind runs without a ledger, as in
	// Definition.Call. Test it with workertest.New.
	ErrNoTx = errors.New("there is no transaction of a ledger")

	// ErrInTx means that a job of such a kind used something that writes in a transaction
	// of its own, such as a checkpoint. Nothing was written.
	ErrInTx = errors.New("the job writes in its transaction alone")

	// ErrTxHeld means that a handler kept its transaction open for too long after its first
	// statement, while others waited: see DefineTx.
	ErrTxHeld = errors.New("the handler held its transaction for too long")

	// ErrNotJoinable means that EnqueueTx or Call.Once got no transaction that it can use.
	ErrNotJoinable = ledger.ErrNotJoinable

	// ErrTxEnded means that a handler used its transaction after it had returned.
	ErrTxEnded = errors.New("the transaction has ended for this job")
)

// Args are the arguments of a statement by name: @name in its text.
type Args = ledger.Args

// Scan reads the columns of one row of a result into pointers, in their order.
type Scan = ledger.Scan

// Tx is a transaction on the ledger's database, as the handler of a DefineTx kind gets it.
// The same text runs on Postgres and SQLite; a slice among the arguments of Query is an
// array: = ANY (cast(@ids AS bigint[])).
//
// An error of a statement spoils the transaction for the job: its effects are rolled back,
// whatever the handler returns. Write INSERT … ON CONFLICT where a conflict is expected.
// A statement must not end the transaction.
type Tx interface {
	// Exec runs a statement and returns how many rows it touched.
	Exec(ctx context.Context, text string, args Args) (rows int64, err error)

	// Query calls row once for each row of the result. row runs no statement.
	Query(ctx context.Context, text string, args Args, row func(scan Scan) error) error
}

// TxHandler does the work of one job in a transaction: see DefineTx.
type TxHandler[T any] func(ctx context.Context, tx Tx, job *Job[T]) error

// DefineTx makes a kind whose handler writes to the ledger's own database. What it writes by
// tx and the record that the job has finished are committed together: an effect is there
// exactly once, also if the process is killed, or two workers run the job. Jobs are
// committed in groups, so that thousands cost few commits.
//
// A handler is called again, for the same attempt, if a neighbour of its group fails, or
// if the database breaks the group off. So it has no effect but by tx: Rollcall promises
// nothing about effects elsewhere. Nil keeps what the handler wrote; any error, a business
// failure included, rolls it back, and the job ends as for Define.
//
// tx begins with its first statement. Do slow things before, such as look-ups in other
// systems. A handler that runs for 50 ms ends its group. One that runs for 100 ms while
// jobs of its group wait for their commit is stopped and run again alone. Behind its first
// statement, a handler has 10 s on Postgres; on SQLite, where all writers wait for it,
// 150 ms: then its context ends and the job is a system fault, ErrTxHeld.
//
// Jobs of one key run in their order. Timeout counts the wait for the transaction. A handler
// cannot save checkpoints (ErrInTx); Enqueue and other writes of the ledger are
// transactions of their own: on SQLite they wait for that of the handler until it is given
// up. The kind is tracked. DefineTx panics like Define.
func DefineTx[T any](name string, h TxHandler[T], opts ...Option) *Definition[T] {
	d := &Definition[T]{schema: schemaOf[T]()}
	d.handler = func(ctx context.Context, job *Job[T]) error {
		if job.Backing == nil {
			return fmt.Errorf("worker: %s: %w", name, ErrNoTx)
		}
		return h(ctx, job.Backing.Tx(), job)
	}
	d.kind = Kind{Run: d.run, Tx: true}
	d.define(name, h == nil, opts)
	return d
}
