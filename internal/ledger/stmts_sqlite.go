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

// keeping opens connections of SQLite that keep the statements that they prepared: to compile
// a statement takes SQLite several times longer than to run it. SQLite compiles a kept statement
// again after a change of the schema, for the columns that it had: statements name their columns.
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

// sqliteOwn is what a connection of the driver can.
type sqliteOwn interface {
	sqlitedriver.Conn
	driver.ExecerContext
	driver.NamedValueChecker
}

// keeper is a connection with its idle statements. database/sql serves one goroutine at a time
// with it.
type keeper struct {
	sqliteOwn
	names *names
	idle  []*keptStmt // least recently used first
}

// PrepareContext returns an idle statement of the text, or a new one. A statement is never
// handed out twice, so that rows may be read while the same statement runs again.
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

// keep takes a statement back. If there are too many, it closes the longest idle one.
func (k *keeper) keep(s *keptStmt) error {
	k.idle = append(k.idle, s)
	if len(k.idle) <= maxStmts {
		return nil
	}
	oldest := k.idle[0]
	k.idle = slices.Delete(k.idle, 0, 1)
	return oldest.stmtOwn.Close()
}

// stmtOwn is what a statement of the driver can.
type stmtOwn interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
	driver.NamedValueChecker
	Reset() error
	ClearBindings() error
}

// keptStmt is a statement that its connection takes back.
type keptStmt struct {
	stmtOwn
	text string
	of   *keeper
}

// Close hands the statement back to its connection, at its start and without values, also after
// an error in the midst of its values or rows.
func (s *keptStmt) Close() error {
	if errors.Join(s.Reset(), s.ClearBindings()) != nil {
		return s.stmtOwn.Close()
	}
	return s.of.keep(s)
}
