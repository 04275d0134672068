package ledger

import (
	"context"
	"database/sql/driver"
	"errors"
	"slices"

	sqlitedriver "github.com/ncruces/go-sqlite3/driver"
)

// maxStmts is the greatest number of idle statements that a connection of SQLite keeps.
const maxStmts = 64

// cachingConnector is a driver.Connector whose connections of SQLite cache prepared statements.
// SQLite takes several times as long to compile a statement as to run it. After a change of the
// schema, SQLite compiles a cached statement again, and a * then has the new columns. The driver
// still expects the old number of columns, and the query fails. Statements therefore name their
// columns.
type cachingConnector struct {
	driver.Connector
	names *names
}

func (k cachingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &cachingConn{sqliteConnection: conn.(sqliteConnection), names: k.names}, nil
}

// sqliteConnection is a connection of the driver, with all its methods that cachingConn uses.
type sqliteConnection interface {
	sqlitedriver.Conn
	driver.ExecerContext
	driver.NamedValueChecker
}

// cachingConn is a connection with its idle prepared statements. database/sql uses it for one
// goroutine at a time.
type cachingConn struct {
	sqliteConnection
	names *names
	idle  []*keptStmt // least recently used first
}

// PrepareContext returns an idle statement with the text, or prepares a new statement. A statement
// in use is not idle, so the same text can run again while its rows are read.
func (k *cachingConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	at := slices.IndexFunc(k.idle, func(s *keptStmt) bool { return s.text == text })
	if at >= 0 {
		s := k.idle[at]
		k.idle = slices.Delete(k.idle, at, at+1)
		return s, nil
	}
	own, err := k.sqliteConnection.PrepareContext(ctx, k.names.qualify(text))
	if err != nil {
		return nil, err
	}
	return &keptStmt{sqliteStmt: own.(sqliteStmt), text: text, of: k}, nil
}

// ExecContext runs a statement without arguments. For other statements it returns driver.ErrSkip,
// so that database/sql prepares them.
func (k *cachingConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	return k.sqliteConnection.ExecContext(ctx, k.names.qualify(text), args)
}

// Close closes the idle statements, and the connection.
func (k *cachingConn) Close() error {
	var errs []error
	for _, s := range k.idle {
		errs = append(errs, s.sqliteStmt.Close())
	}
	k.idle = nil
	return errors.Join(append(errs, k.sqliteConnection.Close())...)
}

// keep adds a statement to the idle statements. Above maxStmts it closes the statement that was
// idle for the longest time.
func (k *cachingConn) keep(s *keptStmt) error {
	k.idle = append(k.idle, s)
	if len(k.idle) <= maxStmts {
		return nil
	}
	oldest := k.idle[0]
	k.idle = slices.Delete(k.idle, 0, 1)
	return oldest.sqliteStmt.Close()
}

// sqliteStmt is a prepared statement of the driver, with all its methods that keptStmt uses.
type sqliteStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
	driver.NamedValueChecker
	Reset() error
	ClearBindings() error
}

// keptStmt is a prepared statement of a cachingConn. Its method Close returns the statement to the
// connection.
type keptStmt struct {
	sqliteStmt
	text string
	of   *cachingConn
}

// Close resets the statement and returns it to its connection, even after an error of its arguments
// or its rows. A statement that cannot be reset is closed.
func (s *keptStmt) Close() error {
	if errors.Join(s.Reset(), s.ClearBindings()) != nil {
		return s.sqliteStmt.Close()
	}
	return s.of.keep(s)
}
