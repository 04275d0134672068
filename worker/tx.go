package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// Errors of kinds made by DefineTx. Callers may test for them with errors.Is.
var (
	// ErrNoTx means that such a job runs without a ledger, as in Definition.Call. Test it with
	// workertest.New.
	ErrNoTx = errors.New("there is no transaction of a ledger")

	// ErrInTx means that such a job called a method that writes in another transaction, such as a
	// checkpoint. Nothing was written.
	ErrInTx = errors.New("the job writes in its transaction alone")

	// ErrTxHeld means that a handler kept its transaction open for too long after its first
	// statement: see DefineTx.
	ErrTxHeld = errors.New("the handler held its transaction for too long")

	// ErrNotJoinable means that EnqueueTx or Call.Once cannot use the given transaction.
	ErrNotJoinable = ledger.ErrNotJoinable

	// ErrTxEnded means that a handler used its transaction after it had returned.
	ErrTxEnded = errors.New("the transaction has ended for this job")
)

// Args are the arguments of a statement by name: @name in its text.
type Args = ledger.Args

// Scan reads the columns of one row of a result into pointers, in their order.
type Scan = ledger.Scan

// Tx is a transaction on the ledger's database, for the handler of a DefineTx kind. The same text
// runs on Postgres and SQLite; a slice among the arguments of Query is an array: = ANY (cast(@ids
// AS bigint[])).
//
// If a statement fails, the job's effects are rolled back, whatever the handler returns. Write
// INSERT … ON CONFLICT where a conflict is expected. A statement must not end the transaction.
type Tx interface {
	// Exec runs a statement and returns the number of changed rows.
	Exec(ctx context.Context, text string, args Args) (rows int64, err error)

	// Query calls row once for each row of the result. row runs no statement.
	Query(ctx context.Context, text string, args Args, row func(scan Scan) error) error
}

// TxHandler does the work of one job in a transaction: see DefineTx.
type TxHandler[T any] func(ctx context.Context, tx Tx, job *Job[T]) error

// DefineTx makes a kind whose handler writes to the ledger's own database. Its writes through tx
// and the record of the finished job are committed together. An effect thus happens exactly once,
// even if the process is killed or two workers run the job. Jobs are committed in groups, so that
// thousands cost few commits.
//
// A handler is called again, for the same attempt, if another job of its group fails or the
// database aborts the group. It must therefore have no effect except through tx: Rollcall promises
// nothing about other effects. Nil keeps the writes of the handler. Any error, also a business
// failure, rolls them back, and the job ends as for Define.
//
// tx begins with its first statement. Do slow work before it, such as look-ups in other systems. A
// handler that runs for 50 ms ends its group. A handler that runs for 100 ms while jobs of its
// group wait for their commit is stopped and run again alone. After its first statement, a handler
// has 10 s on Postgres. On SQLite, where all writers wait for it, it has 150 ms. Then its context
// ends and the job is a system fault, ErrTxHeld.
//
// Jobs of one key run in their order. Timeout includes the wait for the transaction. A handler
// cannot save checkpoints (ErrInTx). Enqueue and other writes of the ledger use their own
// transactions: on SQLite they wait for the handler's transaction until they time out. The kind is
// tracked. DefineTx panics like Define.
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
