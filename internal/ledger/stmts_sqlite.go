package ledger

import (
	"context"
	"database/sql/driver"
	"errors"
	"slices"

	sqlitedriver "github.com/ncruces/go-sqlite3/driver"
)

// maxStmts is how many idle statements a connection of SQLite keeps.
const maxStmts = 64

// keeping opens connections of SQLite that cache prepared statements, since SQLite compiles a
// statement several times longer than it runs it. After a change of the schema, SQLite compiles a
// cached statement again with its old columns. Statements therefore name their columns.
type keeping struct {
	driver.Connector
	names *names
}

func (k keeping) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &keeper{sqliteOwn: conn.(sqliteOwn), names: k.names}, nil
}

// sqliteOwn holds the methods of a connection of the driver.
type sqliteOwn interface {
	sqlitedriver.Conn
	driver.ExecerContext
	driver.NamedValueChecker
}

// keeper is a connection with its idle statements. database/sql uses it for one goroutine at a time.
type keeper struct {
	sqliteOwn
	names *names
	idle  []*keptStmt // least recently used first
}

// PrepareContext returns an idle statement of the text, or a new one. A statement has one user at a
// time, so that rows may be read while the same text runs again.
func (k *keeper) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	at := slices.IndexFunc(k.idle, func(s *keptStmt) bool { return s.text == text })
	if at >= 0 {
		s := k.idle[at]
		k.idle = slices.Delete(k.idle, at, at+1)
		return s, nil
	}
	own, err := k.sqliteOwn.PrepareContext(ctx, k.names.in(text))
	if err != nil {
		return nil, err
	}
	return &keptStmt{stmtOwn: own.(stmtOwn), text: text, of: k}, nil
}

// ExecContext runs statements without arguments; others are prepared.
func (k *keeper) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	return k.sqliteOwn.ExecContext(ctx, k.names.in(text), args)
}

// Close closes the idle statements, and the connection.
func (k *keeper) Close() error {
	var errs []error
	for _, s := range k.idle {
		errs = append(errs, s.stmtOwn.Close())
	}
	k.idle = nil
	return errors.Join(append(errs, k.sqliteOwn.Close())...)
}

// keep adds a statement to the idle ones. If there are too many, it closes the longest idle statement.
func (k *keeper) keep(s *keptStmt) error {
	k.idle = append(k.idle, s)
	if len(k.idle) <= maxStmts {
		return nil
	}
	oldest := k.idle[0]
	k.idle = slices.Delete(k.idle, 0, 1)
	return oldest.stmtOwn.Close()
}

// stmtOwn holds the methods of a statement of the driver.
type stmtOwn interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
	driver.NamedValueChecker
	Reset() error
	ClearBindings() error
}

// keptStmt is a statement that returns to its connection on Close.
type keptStmt struct {
	stmtOwn
	text string
	of   *keeper
}

// Close resets the statement and returns it to its connection, also after an error among its values or
// rows.
func (s *keptStmt) Close() error {
	if errors.Join(s.Reset(), s.ClearBindings()) != nil {
		return s.stmtOwn.Close()
	}
	return s.of.keep(s)
}
