package ledger

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/ncruces/go-sqlite3"
)

// Transient reports whether err has a temporary cause: the database is unreachable, the connection
// broke, or the server does not allow the statement now. The same request may succeed later. An
// interrupted commit may have taken effect, so the caller may retry only if a repetition is safe.
func Transient(err error) bool {
	var pg *pgconn.PgError
	var dial *pgconn.ConnectError
	var lost *connError
	switch {
	case err == nil:
		return false
	case errors.As(err, &dial), errors.As(err, &lost):
		return true
	case errors.As(err, &pg):
		return transientState(pg.Code)
	}
	return isOneOf(err, closedOrLost) || isOneOf(err, transientSQLite) || errors.Is(err, sqlClosed()) || errors.Is(err, poolClosed())
}

// Unavailable reports whether err means that the database currently fails for all callers: it is
// unreachable, or lacks resources. Unlike Transient, Unavailable returns false for errors of a
// single transaction, such as a deadlock or a statement that exceeded its timeout.
func Unavailable(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && (pg.Code[:min(2, len(pg.Code))] == "40" || slices.Contains(ownStates, pg.Code)) {
		return false
	}
	return Transient(err) && !errors.Is(err, sqlite3.INTERRUPT)
}

// ownStates are the transient states outside class 40 that concern only one transaction.
var ownStates = []string{"25P03", "25P04", "55006", "55P03", "57014"}

// transientClasses are the classes of SQLSTATE with transient states: connection exceptions, transaction
// rollback, insufficient resources, and system errors outside Postgres. The state brokenByRow is not
// transient.
var transientClasses = []string{"08", "40", "53", "58"}

// transientStates lists the transient SQLSTATE codes whose classes are not in transientClasses.
var transientStates = []string{
	"25006", // read_only_sql_transaction: a standby, or a disk that is nearly full
	"25P03", // idle_in_transaction_session_timeout
	"25P04", // transaction_timeout
	"55006", // object_in_use
	"55P03", // lock_not_available
	"57000", // operator_intervention
	"57014", // query_canceled, also by statement_timeout
	"57P01", // admin_shutdown, also pg_terminate_backend
	"57P02", // crash_shutdown
	"57P03", // cannot_connect_now
	"57P05", // idle_session_timeout
}

// brokenByRow is a state of class 40 that is not transient: the values violate a constraint.
const brokenByRow = "40002"

func transientState(code string) bool {
	if len(code) != 5 || code == brokenByRow {
		return false
	}
	return slices.Contains(transientClasses, code[:2]) || slices.Contains(transientStates, code)
}

// closedOrLost are the errors of closed and lost connections.
var closedOrLost = []error{
	pgconn.ErrConnClosed, driver.ErrBadConn, sql.ErrConnDone,
}

// transientSQLite are the transient errors of SQLite. Their causes are other users of the file, an
// interrupt, the disk or the memory.
var transientSQLite = []error{
	sqlite3.BUSY, sqlite3.LOCKED, sqlite3.PROTOCOL, sqlite3.INTERRUPT,
	sqlite3.FULL, sqlite3.IOERR, sqlite3.CANTOPEN, sqlite3.NOMEM,
}

// sqlClosed returns the error of database/sql for a closed database. That package does not export
// the error.
var sqlClosed = sync.OnceValue(func() error {
	db := sql.OpenDB(nil)
	_ = db.Close() // it has no connections
	return db.Ping()
})

// poolClosed returns the error of pgx for a closed pool, which pgx does not export. The pool below
// never connects.
var poolClosed = sync.OnceValue(func() error {
	pool, err := pgxpool.New(context.Background(), "postgres://127.0.0.1:1/none")
	if err != nil {
		panic(err) // the address is well-formed
	}
	pool.Close()
	_, err = pool.Acquire(context.Background())
	return err
})

func isOneOf(err error, causes []error) bool {
	return slices.ContainsFunc(causes, func(cause error) bool { return errors.Is(err, cause) })
}
