package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Args holds the values of a statement's arguments, which are written as @name in the text.
type Args = map[string]any

// Scan is a function that reads the columns of one row of a result.
type Scan = func(dest ...any) error

func eachRow(rows result, row func(Scan) error) error {
	scan := Scan(rows.Scan)
	for rows.Next() {
		if err := row(scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// result is the common part of the rows of both drivers.
type result interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
}

// Tx is the interface that runs the same statements on Postgres and on SQLite. They run in one
// transaction, or each statement in its own (DB.Reader, DB.Writer). An argument may be a slice, and
// = ANY (cast(@name AS type[])) uses it as an array. Bulk and Insert write many rows.
type Tx interface {
	// Exec runs a statement and returns the number of changed rows.
	Exec(ctx context.Context, sql string, args Args) (int64, error)

	// Query runs a statement and calls the function `row` once for each row of the result.
	Query(ctx context.Context, sql string, args Args, row func(Scan) error) error
}

// txTries is the greatest number of runs of a transaction. InTx runs it again after a deadlock or
// serialization failure.
const txTries = 5

// InTx runs f in one transaction. After a deadlock or serialization failure it runs f again, so f must
// not keep state between runs.
func (db *DB) InTx(ctx context.Context, f func(Tx) error) error {
	begin := db.sqliteTx
	if db.Pool != nil {
		begin = db.pgTx
	}
	return retry(ctx, func() error { return begin(ctx, f) })
}

// retry runs f. After a deadlock or serialization failure it runs f again, up to txTries runs in
// all.
func retry(ctx context.Context, f func() error) error {
	for try := 1; ; try++ {
		err := f()
		if err == nil || try == txTries || !Aborted(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(try*try) * 5 * time.Millisecond):
		}
	}
}

// View runs f in one transaction for reading. On SQLite it does not wait for writers.
func (db *DB) View(ctx context.Context, f func(Tx) error) error {
	if db.Pool != nil {
		return db.pgTx(ctx, f)
	}
	return sqliteRun(ctx, db.Read, f)
}

// Aborted reports whether err means a deadlock or serialization failure: the same transaction may
// succeed if it runs again at once.
func Aborted(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	return pg.Code == "40001" || pg.Code == "40P01"
}

// ValueRejected reports whether Postgres has rejected the values with a data exception, a violated constraint or
// an exceeded limit. A retry fails again, unless NoPartition or DuplicateKey returns true for err and the cause is
// gone.
func ValueRejected(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || len(pg.Code) != 5 {
		return false
	}
	switch pg.Code[:2] {
	case "22", "23", "54":
		return true
	}
	return false
}

// NoPartition reports whether err means that no partition for a new row exists.
func NoPartition(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23514" && pg.ConstraintName == ""
}

// DuplicateKey reports whether err means that a row with the same unique key of the table already
// exists (Postgres).
func DuplicateKey(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23505"
}

// NextEpoch returns a fencing token that is greater than all earlier tokens, even if Redis was
// emptied or the ledger was set back meanwhile.
func (db *DB) NextEpoch(ctx context.Context) (int64, error) {
	var n int64
	if _, err := Row(ctx, db.Writer(), epochSQL, Args{"now": db.Now().UnixMilli()}, &n); err != nil {
		return 0, fmt.Errorf("ledger: next epoch: %w", err)
	}
	return n, nil
}
