package ledger

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
)

// Reader returns a Tx that runs each statement in its own transaction, for queries that only read. On
// SQLite it does not wait for writers.
func (db *DB) Reader() Tx {
	if db.Pool != nil {
		return pgTx{db.Pool, db.names}
	}
	return onPool(db.Read.DB())
}

// Writer returns a Tx that runs each statement in its own transaction. On Postgres, it runs the
// statement again after a deadlock or serialization failure, like InTx. It does not repeat a query that
// has returned a row.
func (db *DB) Writer() Tx {
	if db.Pool != nil {
		return retryTx{pgTx{db.Pool, db.names}}
	}
	return onPool(db.Write.DB())
}

// onPool returns a Tx on a pool of SQLite. If err is not nil, each statement of the Tx returns err.
func onPool(pool *sql.DB, err error) Tx {
	if err != nil {
		return failedTx{err}
	}
	return sqliteTx{pool}
}

// failedTx is a Tx whose statements all return an error.
type failedTx struct{ err error }

func (f failedTx) Exec(context.Context, string, Args) (int64, error) { return 0, f.err }

func (f failedTx) Query(context.Context, string, Args, func(Scan) error) error { return f.err }

// retryTx is a Tx that runs a statement again after a deadlock or serialization failure.
type retryTx struct{ tx Tx }

func (r retryTx) Exec(ctx context.Context, text string, args Args) (n int64, err error) {
	err = retry(ctx, func() error {
		n, err = r.tx.Exec(ctx, text, args)
		return err
	})
	return n, err
}

// Query runs a query, and retries it only before its first row. A retry after a row would return
// the row twice.
func (r retryTx) Query(ctx context.Context, text string, args Args, row func(Scan) error) error {
	begun, late := false, error(nil)
	err := retry(ctx, func() error {
		err := r.tx.Query(ctx, text, args, func(scan Scan) error {
			begun = true
			return row(scan)
		})
		if begun {
			late, err = err, nil
		}
		return err
	})
	return cmp.Or(err, late)
}

// Row runs a query, scans the returned row into `dest`, and reports whether there was a row. If the query
// returns several rows, `dest` holds the last.
func Row(ctx context.Context, tx Tx, text string, args Args, dest ...any) (found bool, err error) {
	err = tx.Query(ctx, text, args, func(scan Scan) error {
		found = true
		return scan(dest...)
	})
	return found, err
}

// List returns the rows of a query; nil if the query returns none.
func List[T any](
	ctx context.Context, tx Tx, text string, args Args, read func(scan Scan, row *T) error,
) (out []T, err error) {
	err = tx.Query(ctx, text, args, func(scan Scan) error {
		var empty T
		out = append(out, empty)
		return read(scan, &out[len(out)-1])
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

//go:embed sql/in_order.sql
var inOrderSQL string

// Probe runs f like View, and makes Postgres read tables in the order of an index. It is for
// statements that read the first few entries of an index. With outdated statistics, Postgres may
// underestimate the number of entries, and read and sort all of them.
func (db *DB) Probe(ctx context.Context, f func(Tx) error) error {
	return db.View(ctx, func(tx Tx) error {
		if err := db.InOrder(ctx, tx); err != nil {
			return err
		}
		return f(tx)
	})
}

// InOrder makes Postgres read tables in the order of an index for the rest of a transaction. On SQLite it
// is a no-op.
func (db *DB) InOrder(ctx context.Context, tx Tx) error {
	if db.Pool == nil {
		return nil
	}
	_, err := tx.Exec(ctx, inOrderSQL, nil)
	return err
}
